HOST_SOURCES += \
	host/analysis/analysis.c \
	host/analysis/arc_list.c \
	host/analysis/arcs.c \
	host/analysis/bootstrap.c \
	host/analysis/breaking.c \
	host/analysis/by_context.c \
	host/analysis/contexts.c \
	host/analysis/cycles.c \
	host/analysis/flow.c \
	host/analysis/groups.c \
	host/analysis/histograms.c \
	host/analysis/identity.c \
	host/analysis/lines.c \
	host/analysis/losses.c \
	host/analysis/parts.c \
	host/analysis/poisson.c \
	host/analysis/propagate.c \
	host/analysis/resample.c \
	host/analysis/samples.c \
	host/analysis/shares.c \
	host/analysis/static_arcs.c \
	host/analysis/tally.c \
	host/analysis/tangle.c \
	host/analysis/tangle_insert.c \
	host/analysis/tangle_order.c \
	host/analysis/tangle_sift.c
