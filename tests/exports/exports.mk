# SPDX-License-Identifier: MIT
# `bareprof export` judged by the programs that read its formats: NAME.sh BAREPROF FOLDER is the test of a format. Each is
# run with the captures NAME.bprof of FOLDER, and NAME.elf, which captures.sh makes; judge.py has what they share.

EXPORTS := build/exports
EXPORTS_SANITIZED := build/sanitize/exports
EXPORT_TESTS := $(filter-out tests/exports/captures.sh,$(wildcard tests/exports/*.sh))

$(EXPORTS)/captures: | build/bareprof
$(EXPORTS_SANITIZED)/captures: | build/sanitize/bareprof
$(EXPORTS)/captures $(EXPORTS_SANITIZED)/captures: tests/exports/captures.sh build/tests/make_capture build/tests/make_sampled \
		build/firmware/mps2-an385/demo.elf $(wildcard tests/golden/inputs/*)
	@mkdir -p $(@D)
	$(call say,RUN,$@)
	$Q$< $| $(@D)
	$Qtouch $@

RESULTS_exports := $(EXPORT_TESTS:tests/exports/%.sh=build/results/exports/%)
$(RESULTS_exports): build/results/exports/%: tests/exports/%.sh tests/exports/judge.py $(EXPORTS)/captures build/bareprof always
	@$(RECORD) $@ bash $< build/bareprof $(EXPORTS)

RESULTS_sanitize_exports := $(EXPORT_TESTS:tests/exports/%.sh=build/results/sanitize/exports/%)
$(RESULTS_sanitize_exports): build/results/sanitize/exports/%: tests/exports/%.sh tests/exports/judge.py $(EXPORTS_SANITIZED)/captures \
		build/sanitize/bareprof always
	@$(RECORD) $@ env $(SANITIZE_ENVIRONMENT) bash $< build/sanitize/bareprof $(EXPORTS_SANITIZED)
RESULTS_sanitize += $(RESULTS_sanitize_exports)
