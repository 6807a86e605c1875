# SPDX-License-Identifier: MIT
HOST_SOURCES += $(addprefix host/command/, \
	annotate.c \
	arguments.c \
	captures.c \
	command.c \
	complete.c \
	completion.c \
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
	info_stacks.c \
	merge.c \
	nonblocking_output.c \
	progress.c \
	options.c \
	pull.c \
	pull_summary.c \
	push.c \
	push_credentials.c \
	push_options.c \
	regions.c \
	report.c \
	report_filters.c \
	sample.c \
	source_options.c \
	target_options.c \
	top.c \
	traffic.c \
	unwind_table.c \
	values.c \
	version.c)
HOST_SOURCES += build/command/scripts.c

COMPLETION_SCRIPTS := $(addprefix host/command/scripts/completion.,bash zsh fish)
build/command/scripts.c: host/embed.awk $(COMPLETION_SCRIPTS)
	@mkdir -p $(@D)
	$(call say,MAKE,$@)
	$Qawk -f $< -v header=command/scripts.h $(COMPLETION_SCRIPTS) >$@
