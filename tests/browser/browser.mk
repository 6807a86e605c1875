# SPDX-License-Identifier: MIT
# The page of `bareprof diff --html` in a browser, see page.sh. tests/golden/diff-cases/ describes what the pages show.

build/page/small.html build/page/same.html: build/page/%.html: tests/golden/diff-cases/page.txt build/tests/print_comparison
	@mkdir -p $(@D)
	$(call say,RUN,$@)
	$Qbuild/tests/print_comparison html $* <$< >$@
build/page/large.html: tests/browser/large.awk build/tests/print_comparison
	@mkdir -p $(@D)
	$(call say,RUN,$@)
	$Qawk -f $< | build/tests/print_comparison html large >$@

PAGES := $(addprefix build/page/,small.html same.html large.html)
RESULTS_browser := build/results/browser/browser
build/results/browser/browser: $(PAGES) tests/browser/page.sh tests/browser/inspect.js always
	@$(RECORD) $@ tests/browser/page.sh build/page
