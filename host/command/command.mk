HOST_SOURCES += \
	host/command/captures.c \
	host/command/command.c \
	host/command/export.c \
	host/command/info.c \
	host/command/merge.c \
	host/command/pull.c \
	host/command/report.c \
	host/command/runs.c
