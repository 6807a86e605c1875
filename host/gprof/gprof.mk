HOST_SOURCES += \
	host/gprof/blocks.c \
	host/gprof/columns.c \
	host/gprof/counts.c \
	host/gprof/entries.c \
	host/gprof/explain.c \
	host/gprof/files.c \
	host/gprof/flat.c \
	host/gprof/gprof.c \
	host/gprof/graph.c \
	host/gprof/index.c \
	host/gprof/names.c \
	host/gprof/order.c \
	host/gprof/removed.c \
	host/gprof/source.c \
	host/gprof/spots.c
