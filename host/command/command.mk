# SPDX-License-Identifier: MIT
HOST_SOURCES += $(addprefix host/command/, \
	annotate.c \
	arguments.c \
	captures.c \
	command.c \
	devices.c \
	diff.c \
	diff_builds.c \
	diff_options.c \
	export.c \
	gprof.c \
	gprof_options.c \
	hints.c \
	info.c \
	merge.c \
	nonblocking_output.c \
	progress.c \
	options.c \
	pull.c \
	pull_summary.c \
	push.c \
	push_credentials.c \
	push_options.c \
	report.c \
	report_filters.c \
	runs.c \
	sample.c \
	table.c \
	target_options.c \
	traffic.c \
	values.c \
	version.c)
