# SPDX-License-Identifier: MIT
HOST_SOURCES += $(addprefix host/top/, \
	batch.c \
	feed.c \
	filter.c \
	header.c \
	lists.c \
	model.c \
	rows.c \
	terminal.c)
HOST_SOURCES_ncursesw += $(addprefix host/top/, \
	draw.c \
	keys.c \
	screen.c)
