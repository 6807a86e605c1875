# SPDX-License-Identifier: MIT
HOST_SOURCES += \
	host/difference/columns.c \
	host/difference/difference.c \
	host/difference/flow.c \
	host/difference/folded.c \
	host/difference/format.c \
	host/difference/graph.c \
	host/difference/head.c \
	host/difference/json.c \
	host/difference/junit.c \
	host/difference/markdown.c \
	host/difference/notes.c \
	host/difference/stacks.c \
	host/difference/text.c
