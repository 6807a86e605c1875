# SPDX-License-Identifier: MIT
HOST_SOURCES += $(addprefix host/capture/, \
	arcs.c \
	balance.c \
	block.c \
	capture.c \
	contexts.c \
	header.c \
	interval.c \
	merged.c \
	path_nodes.c \
	path_tree.c \
	repeat.c \
	samples.c \
	select.c \
	slices.c \
	stack_totals.c \
	stacks.c \
	tally.c \
	trailer.c \
	write.c \
	write_stacks.c)
HOST_SOURCES += $(addprefix host/capture/gmon/, \
	add_up.c \
	from_capture.c \
	read.c \
	read_bsd.c \
	reader.c \
	to_capture.c \
	unit.c \
	write.c)
HOST_SOURCES += $(addprefix host/capture/merge/, \
	merge.c \
	slice_pool.c \
	sum.c)
