# SPDX-License-Identifier: MIT
HOST_SOURCES += \
	host/difference/format.c \
	host/difference/notes.c
