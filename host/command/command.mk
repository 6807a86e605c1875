HOST_SOURCES += \
	host/command/annotate.c \
	host/command/arguments.c \
	host/command/captures.c \
	host/command/colour.c \
	host/command/command.c \
	host/command/devices.c \
	host/command/diff.c \
	host/command/diff_builds.c \
	host/command/diff_options.c \
	host/command/export.c \
	host/command/gprof.c \
	host/command/gprof_options.c \
	host/command/info.c \
	host/command/merge.c \
	host/command/outlet.c \
	host/command/progress.c \
	host/command/pull.c \
	host/command/pull_options.c \
	host/command/pull_summary.c \
	host/command/report.c \
	host/command/report_filters.c \
	host/command/runs.c \
	host/command/sample.c \
	host/command/target_options.c \
	host/command/traffic.c \
	host/command/values.c \
	host/command/version.c
