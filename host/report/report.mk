# SPDX-License-Identifier: MIT
HOST_SOURCES += $(addprefix host/report/, \
	annotate.c \
	annotation.c \
	callgrind.c \
	callgrind_calls.c \
	layout.c \
	contexts.c \
	csv.c \
	dot.c \
	entries.c \
	flat.c \
	flat_lines.c \
	folded.c \
	gmon.c \
	graph.c \
	html.c \
	html_code.c \
	html_data.c \
	instructions.c \
	objdump.c \
	json.c \
	json_profile.c \
	lcov.c \
	losses.c \
	names.c \
	output.c \
	parts.c \
	pprof.c \
	pprof_tables.c \
	protobuf.c \
	prometheus.c \
	ranking.c \
	regions.c \
	removed.c \
	report.c \
	rows.c \
	source.c \
	speedscope.c \
	views.c \
	warnings.c \
	what_if.c)
HOST_SOURCES += $(addprefix host/report/gprof/, \
	blocks.c \
	layout.c \
	counts.c \
	entries.c \
	files.c \
	flat.c \
	gprof.c \
	graph.c \
	index.c \
	names.c \
	order.c \
	part.c \
	source.c \
	spots.c)
