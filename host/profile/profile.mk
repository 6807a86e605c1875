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
	borrow_stacks.c \
	break_cycles.c \
	by_context.c \
	callers.c \
	cells.c \
	code_paths.c \
	collect_stacks.c \
	cycle_flows.c \
	cycles.c \
	flow.c \
	groups.c \
	histograms.c \
	identity.c \
	line_pieces.c \
	line_places.c \
	lines.c \
	line_totals.c \
	losses.c \
	lower_bounds.c \
	measure.c \
	measured_paths.c \
	measured_times.c \
	parts.c \
	paths.c \
	poisson.c \
	possible_calls.c \
	possible_total.c \
	presence.c \
	propagate.c \
	record.c \
	regions.c \
	resample.c \
	runs.c \
	sampled_ranges.c \
	samples.c \
	shares.c \
	solve_cycles.c \
	split.c \
	stack_lengths.c \
	stacks.c \
	static_arcs.c \
	strata.c \
	tally.c \
	weighted.c)
