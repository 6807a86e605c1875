# SPDX-License-Identifier: MIT
HOST_SOURCES += $(addprefix host/profile/, \
	filters.c \
	losses.c \
	profile.c)
HOST_SOURCES += $(addprefix host/profile/analysis/, \
	analysis.c \
	apportion.c \
	arc_list.c \
	arcs.c \
	bootstrap.c \
	breaking.c \
	by_context.c \
	cells.c \
	contexts.c \
	cycles.c \
	flow.c \
	groups.c \
	histograms.c \
	identity.c \
	line_pieces.c \
	lines.c \
	losses.c \
	parts.c \
	poisson.c \
	presence.c \
	propagate.c \
	resample.c \
	runs.c \
	samples.c \
	shares.c \
	static_arcs.c \
	tally.c \
	tangle.c \
	tangle_insert.c \
	tangle_order.c \
	tangle_sift.c)
