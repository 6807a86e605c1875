# SPDX-License-Identifier: MIT
# Types docs/TUTORIAL.md, command by command, in a fresh copy of its firmware.
RESULTS_tutorial := build/results/tutorial/typed
$(RESULTS_tutorial): build/bareprof tests/tutorial/tutorial.sh tests/tutorial/type.pl always
	@$(RECORD) $@ bash tests/tutorial/tutorial.sh
