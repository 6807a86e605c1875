# SPDX-License-Identifier: MIT
HOST_SOURCES += \
	host/difference/columns.c \
	host/difference/difference.c \
	host/difference/flow.c \
	host/difference/folded.c \
	host/difference/format.c \
	host/difference/graph.c \
	host/difference/head.c \
	host/difference/html.c \
	host/difference/html_columns.c \
	host/difference/html_data.c \
	host/difference/html_functions.c \
	host/difference/html_head.c \
	host/difference/html_text.c \
	host/difference/markdown.c \
	host/difference/notes.c \
	host/difference/stacks.c \
	host/difference/text.c \
	build/difference/page.c

# The page of `bareprof diff --html` is written in its own languages; this makes C of it, and what its policy calls its style and
# script.
PAGE_FILES := $(addprefix host/difference/page/,page.html page.css page.js)
page_hash = $$(sha256sum host/difference/page/$1 | head -c 64 | tr a-f A-F | basenc --base16 -d | base64)
build/difference/page.c: host/difference/page/embed.awk $(PAGE_FILES) host/difference/difference.mk
	@mkdir -p $(@D)
	$(call say,MAKE,$@)
	$Qawk -f $< -v page_css_hash="$(call page_hash,page.css)" -v page_js_hash="$(call page_hash,page.js)" $(PAGE_FILES) >$@
