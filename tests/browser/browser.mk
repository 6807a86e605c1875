# SPDX-License-Identifier: MIT
# The pages of `bareprof diff --html` (page.sh) and `bareprof report --html` (profile.sh) in a browser. tests/golden/diff-cases/ describes what the pages show.

build/page/small.html build/page/same.html: build/page/%.html: tests/golden/diff-cases/page.txt build/tests/print_comparison
	@mkdir -p $(@D)
	$(call say,RUN,$@)
	$Qbuild/tests/print_comparison html $* <$< >$@
build/page/large.html: tests/browser/large.awk build/tests/print_comparison
	@mkdir -p $(@D)
	$(call say,RUN,$@)
	$Qawk -f $< | build/tests/print_comparison html large >$@
build/page/measured.html: build/exports/captures build/bareprof
	@mkdir -p $(@D)
	$(call say,RUN,$@)
	$Qbuild/bareprof diff --html=$@ build/exports/uncounted.elf:build/exports/uncounted.bprof build/exports/measured.elf:build/exports/measured.bprof >/dev/null

PAGES := $(addprefix build/page/,small.html same.html large.html measured.html)
RESULTS_browser := build/results/browser/browser build/results/browser/profile
build/results/browser/browser: $(PAGES) tests/browser/page.sh tests/browser/browse.sh tests/browser/common.js tests/browser/inspect.js always
	@$(RECORD) $@ tests/browser/page.sh build/page

build/page/input/large.bprof: build/bench/gprof/input
	@mkdir -p $(@D)
	$(call say,RUN,$@)
	$Q$< 20000 60000 tree $(@D) && mv $(@D)/fw.elf $(@D)/large.elf && mv $(@D)/gmon.out $@
build/results/browser/profile: build/exports/captures build/page/input/large.bprof build/bareprof tests/browser/profile.sh \
		tests/browser/browse.sh tests/browser/common.js tests/browser/inspect_profile.js always
	@$(RECORD) $@ tests/browser/profile.sh build/bareprof build/page/profile build/exports build/page/input

AGREEMENT_PROFILES := $(addprefix tests/golden/,report-break-cycles/knot.txt report-call-times/times.txt report-cut-stacks/cut.txt report-losses/losses.txt report-recorder/recorder.txt)
RESULTS_browser += build/results/browser/agreement
build/results/browser/agreement: build/exports/captures build/bareprof build/tests/make_capture tests/browser/agreement.sh \
		tests/browser/browse.sh tests/browser/common.js tests/browser/agreement.js always
	@$(RECORD) $@ tests/browser/agreement.sh build/bareprof build/page/agreement build/exports $(AGREEMENT_PROFILES)
