# SPDX-License-Identifier: MIT
# `bareprof export` judged by the programs that read its formats: NAME.sh BAREPROF FOLDER is the test of a format. Each is
# run with the captures NAME.bprof of FOLDER, and NAME.elf, which captures.sh makes; judge.py has what they share.

EXPORTS := build/exports
EXPORT_SUPPORT := tests/exports/captures.sh
EXPORT_TESTS := $(filter-out $(EXPORT_SUPPORT),$(wildcard tests/exports/*.sh))

$(EXPORTS)/captures: tests/exports/captures.sh build/tests/make_capture build/tests/make_sampled build/firmware/mps2-an385/demo.elf \
		$(wildcard tests/golden/inputs/*) | build/bareprof
	@mkdir -p $(@D)
	$(call say,RUN,$@)
	$Q$< build/bareprof $(@D)
	$Qtouch $@

RESULTS_exports := $(EXPORT_TESTS:tests/exports/%.sh=build/results/exports/%)
$(RESULTS_exports): build/results/exports/%: tests/exports/%.sh tests/exports/judge.py $(EXPORTS)/captures build/bareprof always
	@$(RECORD) $@ bash $< build/bareprof $(EXPORTS)
