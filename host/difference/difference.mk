# SPDX-License-Identifier: MIT
HOST_SOURCES += \
	host/difference/columns.c \
	host/difference/difference.c \
	host/difference/escape.c \
	host/difference/flow.c \
	host/difference/folded.c \
	host/difference/format.c \
	host/difference/graph.c \
	host/difference/head.c \
	host/difference/json.c \
	host/difference/junit.c \
	host/difference/html.c \
	host/difference/html_columns.c \
	host/difference/html_data.c \
	host/difference/html_functions.c \
	host/difference/html_head.c \
	host/difference/markdown.c \
	host/difference/notes.c \
	host/difference/stacks.c \
	host/difference/text.c \
	build/difference/html_page.c

# The page of `bareprof diff --html` is written in its own languages; this makes C of it, and what its policy calls its style and
# script.
HTML_FILES := $(addprefix host/difference/page/page.,html css js)
html_hash = $$(sha256sum host/difference/page/page.$1 | head -c 64 | tr a-f A-F | basenc --base16 -d | base64)
build/difference/html_page.c: host/difference/page/embed.awk $(HTML_FILES) host/difference/difference.mk
	@mkdir -p $(@D)
	$(call say,MAKE,$@)
	$Qawk -f $< -v style_hash="$(call html_hash,css)" -v script_hash="$(call html_hash,js)" $(HTML_FILES) >$@
