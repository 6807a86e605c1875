# SPDX-License-Identifier: MIT
# The release tree: its files and manifests, and the examples of environments, built by the real tool or, for Zephyr and
# ESP-IDF, by stubs of their build systems.

RESULTS_packages := $(addprefix build/results/packages/,tree builds modules)
$(RESULTS_packages): build/results/packages/%: tests/packages/%.sh release-tree build/bareprof always
	@$(RECORD) $@ bash $< $(VERSION)
