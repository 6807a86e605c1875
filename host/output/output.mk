HOST_SOURCES += \
	host/output/annotate.c \
	host/output/annotation.c \
	host/output/columns.c \
	host/output/contexts.c \
	host/output/entries.c \
	host/output/flat.c \
	host/output/flat_lines.c \
	host/output/gmon.c \
	host/output/graph.c \
	host/output/json.c \
	host/output/json_profile.c \
	host/output/losses.c \
	host/output/names.c \
	host/output/output.c \
	host/output/parts.c \
	host/output/removed.c \
	host/output/report.c \
	host/output/rows.c \
	host/output/source.c \
	host/output/warnings.c
