# SPDX-License-Identifier: MIT
HOST_SOURCES += host/text/console.c host/text/demangle.c host/text/demangle_cost.c host/text/demangler.c host/text/json.c \
	host/text/text.c
