HOST_SOURCES += \
	host/command/arguments.c \
	host/command/captures.c \
	host/command/command.c \
	host/command/export.c \
	host/command/gprof.c \
	host/command/gprof_options.c \
	host/command/info.c \
	host/command/pull.c \
	host/command/report.c
