# SPDX-License-Identifier: MIT
HOST_SOURCES += $(addprefix host/diff/, \
	arcs.c \
	compare.c \
	comparison.c \
	inputs.c \
	order.c \
	quantity.c \
	rows.c \
	tally.c \
	test.c \
	unit.c)
HOST_SOURCES += $(addprefix host/diff/baseline/, \
	find.c \
	folder.c \
	keep.c)
HOST_SOURCES += $(addprefix host/diff/formats/, \
	columns.c \
	diff.c \
	folded.c \
	format.c \
	graph.c \
	head.c \
	html.c \
	html_columns.c \
	html_data.c \
	json.c \
	junit.c \
	markdown.c \
	notes.c \
	output.c \
	text.c)
HOST_SOURCES += $(addprefix host/diff/pairing/, \
	groups.c \
	inlined.c \
	names.c \
	pairing.c \
	stages.c)
HOST_SOURCES += $(addprefix host/diff/rules/, \
	judge.c \
	rule.c \
	rules.c)
HOST_SOURCES += build/diff/formats/html_page.c

# The page of `bareprof diff --html` is written in its own languages; this makes C of it, and what its policy calls its style and
# script.
HTML_FILES := $(addprefix host/diff/formats/page/page.,html css js)
html_hash = $$(sha256sum host/diff/formats/page/page.$1 | head -c 64 | tr a-f A-F | basenc --base16 -d | base64)
build/diff/formats/html_page.c: host/diff/formats/page/embed.awk $(HTML_FILES) host/diff/diff.mk
	@mkdir -p $(@D)
	$(call say,MAKE,$@)
	$Qawk -f $< -v style_hash="$(call html_hash,css)" -v script_hash="$(call html_hash,js)" $(HTML_FILES) >$@
