HOST_SOURCES += \
	host/output/annotate.c \
	host/output/columns.c \
	host/output/entries.c \
	host/output/flat.c \
	host/output/flat_lines.c \
	host/output/gmon.c \
	host/output/gprof.c \
	host/output/gprof_blocks.c \
	host/output/gprof_counts.c \
	host/output/gprof_entries.c \
	host/output/gprof_explain.c \
	host/output/gprof_files.c \
	host/output/gprof_flat.c \
	host/output/gprof_graph.c \
	host/output/gprof_index.c \
	host/output/gprof_names.c \
	host/output/gprof_order.c \
	host/output/gprof_source.c \
	host/output/gprof_spots.c \
	host/output/graph.c \
	host/output/json.c \
	host/output/losses.c \
	host/output/names.c \
	host/output/output.c \
	host/output/parts.c \
	host/output/report.c \
	host/output/source.c
