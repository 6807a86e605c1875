# SPDX-License-Identifier: MIT
# The page of `bareprof diff --html` in a browser, see page.sh. tests/unit/diff/formats/ makes the pages.

PAGES := $(addprefix build/page/,small.html same.html large.html)
$(PAGES): build/page/%.html: build/page/make_page
	$(call say,RUN,$@)
	$Q$< $* >$@

RESULTS_browser := build/results/browser/browser
build/results/browser/browser: $(PAGES) tests/browser/page.sh tests/browser/inspect.js always
	@$(RECORD) $@ tests/browser/page.sh build/page
