# SPDX-License-Identifier: MIT
HOST_SOURCES += $(addprefix host/command/, \
	annotate.c \
	arguments.c \
	captures.c \
	command.c \
	completion.c \
	completion_bash.c \
	completion_fish.c \
	completion_text.c \
	completion_zsh.c \
	devices.c \
	diff.c \
	diff_builds.c \
	diff_options.c \
	export.c \
	gprof.c \
	gprof_options.c \
	help.c \
	hints.c \
	info.c \
	merge.c \
	nonblocking_output.c \
	progress.c \
	options.c \
	pull.c \
	pull_summary.c \
	report.c \
	report_filters.c \
	runs.c \
	sample.c \
	table.c \
	target_options.c \
	traffic.c \
	values.c \
	version.c)
