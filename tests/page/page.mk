# SPDX-License-Identifier: MIT
# The page of `bareprof diff --html` in a browser, see page.sh. tests/unit/diff/formats/ makes the pages.

PAGES := $(addprefix build/page/,small.html same.html large.html)
$(PAGES): build/page/%.html: build/page/make_page
	$(call say,RUN,$@)
	$Q$< $* >$@

RESULTS_page := build/results/page/browser
build/results/page/browser: $(PAGES) tests/page/page.sh tests/page/inspect.js always
	@$(RECORD) $@ tests/page/page.sh build/page
