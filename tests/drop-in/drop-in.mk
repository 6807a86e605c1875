# SPDX-License-Identifier: MIT
# The files that a project copies: with the options of projects, and in a project that another build makes.

RESULTS_drop-in := $(addprefix build/results/drop-in/,options cubemx misra)
build/results/drop-in/options: tests/drop-in/options.sh tests/drop-in/options.txt $(DROP_IN) always
	@$(RECORD) $@ $< build/drop-in build/tests/drop-in/options
build/results/drop-in/cubemx: tests/drop-in/cubemx.sh $(DROP_IN) build/bareprof always
	@$(RECORD) $@ bash $<
build/results/drop-in/misra: tests/drop-in/misra.sh docs/MISRA.md $(DROP_IN) always
	@$(RECORD) $@ bash $<
