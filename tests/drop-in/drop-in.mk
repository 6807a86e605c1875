# SPDX-License-Identifier: MIT
# The drop-in files: with the options of projects, with each timer, with linker scripts in the forms of
# vendors, and in projects with a build of their own.

DROP_IN_COMPILED := $(addprefix build/results/drop-in/,options timers)
DROP_IN_BUILT := $(addprefix build/results/drop-in/,scripts start cubemx machines misra)
RESULTS_drop-in := $(DROP_IN_COMPILED) $(DROP_IN_BUILT)
$(DROP_IN_COMPILED): build/results/drop-in/%: tests/drop-in/%.sh tests/drop-in/%.txt tests/drop-in/compile.sh $(DROP_IN) always
	@$(RECORD) $@ $< build/drop-in build/tests/drop-in/$*
$(DROP_IN_BUILT): build/results/drop-in/%: tests/drop-in/%.sh $(DROP_IN) build/bareprof always
	@$(RECORD) $@ bash $<
build/results/drop-in/cubemx: build/target/arm_m-cortex-m4f/libbareprof.a
