# SPDX-License-Identifier: MIT
HOST_SOURCES += $(addprefix host/profile/, \
	filters.c \
	losses.c \
	measurement.c \
	part_names.c \
	profile.c)
HOST_SOURCES += $(addprefix host/profile/samples/, \
	apportion.c \
	cells.c \
	groups.c \
	histograms.c \
	presence.c \
	regions.c \
	runs.c \
	sampled_ranges.c \
	samples.c \
	weighted.c)
HOST_SOURCES += $(addprefix host/profile/calls/, \
	arc_list.c \
	arcs.c \
	break_cycles.c \
	cycle_flows.c \
	cycles.c \
	flow.c \
	possible_total.c \
	propagate.c \
	solve_cycles.c \
	static_arcs.c \
	tally.c)
HOST_SOURCES += $(addprefix host/profile/errors/, \
	bootstrap.c \
	poisson.c \
	resample.c)
HOST_SOURCES += $(addprefix host/profile/stacks/, \
	borrow_stacks.c \
	callers.c \
	code_paths.c \
	collect_stacks.c \
	lower_bounds.c \
	measure.c \
	measured_paths.c \
	measured_times.c \
	paths.c \
	possible_calls.c \
	stack_lengths.c \
	stacks.c \
	strata.c)
HOST_SOURCES += $(addprefix host/profile/lines/, \
	line_pieces.c \
	line_places.c \
	line_totals.c \
	lines.c)
HOST_SOURCES += $(addprefix host/profile/analysis/, \
	analysis.c \
	by_context.c \
	identity.c \
	losses.c \
	parts.c \
	split.c)
