/* SPDX-License-Identifier: MIT */
/*
 * Pass: removes arcs from the propagation so that no cycle has more than cycle_max members. The cost is the number of
 * calls of the removed arcs: their callees' time no longer reaches their callers. Arcs without calls, known from the
 * instructions only, cost next to nothing.
 */
#include "capture/count.h"
#include "profile/analysis/analysis.h"
#include "profile/analysis/cycle_graph.h"

#define NONE UINT32_MAX

struct cycle_breaker {
	struct profile *profile;
	struct cycle_graph graph;
	uint32_t *number; /* number of each node in the graph; NONE: it is in no large cycle */
	uint32_t *arcs;   /* by arc of the graph: its index in the profile */
};

static void number_nodes(struct cycle_breaker *breaker)
{
	const struct profile *profile = breaker->profile;

	for (size_t i = 0; i < profile->node_count; i++) {
		size_t cycle = profile->nodes[i].cycle;
		bool is_large = cycle != PROFILE_NONE && profile->cycles[cycle].member_count > breaker->graph.limit;

		breaker->number[i] = is_large ? breaker->graph.node_count++ : NONE;
	}
}

static bool is_in_large_cycle(const struct cycle_breaker *breaker, const struct profile_arc *arc)
{
	const struct profile_node *nodes = breaker->profile->nodes;

	return arc->caller != arc->callee && breaker->number[arc->caller] != NONE &&
	       nodes[arc->caller].cycle == nodes[arc->callee].cycle;
}

static void collect_arcs(struct cycle_breaker *breaker)
{
	const struct profile *profile = breaker->profile;
	struct cycle_graph *graph = &breaker->graph;
	/* The sum over all arcs is below one call: with equal numbers of calls, fewer arcs weigh less. */
	double weight_min = 1.0 / ((double)profile->arc_count + 1);

	for (size_t i = 0; i < profile->arc_count; i++) {
		const struct profile_arc *arc = &profile->arcs[i];

		if (!is_in_large_cycle(breaker, arc))
			continue;
		breaker->arcs[graph->arc_count] = (uint32_t)i;
		graph->arcs[graph->arc_count++] = (struct cycle_arc){
		        .from = breaker->number[arc->caller],
		        .to = breaker->number[arc->callee],
		        .weight = (double)arc->count + weight_min,
		};
	}
}

static bool prepare(struct cycle_breaker *breaker)
{
	const struct profile *profile = breaker->profile;

	struct scratch *scratch = &breaker->graph.scratch;

	breaker->number = scratch_array(scratch, profile->node_count, sizeof *breaker->number);
	breaker->arcs = scratch_array(scratch, profile->arc_count, sizeof *breaker->arcs);
	breaker->graph.arcs = scratch_array(scratch, profile->arc_count, sizeof *breaker->graph.arcs);
	if (scratch->is_short_of_memory)
		return false;
	number_nodes(breaker);
	collect_arcs(breaker);
	return cycle_graph_prepare(&breaker->graph);
}

static void remove_arcs(struct cycle_breaker *breaker, const struct arc_cut *cut)
{
	struct profile *profile = breaker->profile;

	for (uint32_t i = 0; i < breaker->graph.arc_count; i++) {
		struct profile_arc *arc = &profile->arcs[breaker->arcs[i]];
		struct profile_node *callee = &profile->nodes[arc->callee];

		if (!cut->is_removed[i])
			continue;
		arc->is_removed = true;
		count_add(&callee->removed_calls, arc->count);
		profile->removed_count++;
	}
}

static bool remove_lightest(struct cycle_breaker *breaker)
{
	struct arc_cut cut = {0};
	bool ok = prepare(breaker) && arc_cut_create(&breaker->graph, &cut) && cycle_graph_cut(&breaker->graph, &cut);

	if (ok)
		remove_arcs(breaker, &cut);
	scratch_free(&cut.scratch);
	return ok;
}

enum status analysis_break_cycles(struct profile *profile, size_t cycle_max, struct error *error)
{
	enum status status = analysis_find_cycles(profile, error);

	if (status != STATUS_OK)
		return status;
	struct cycle_breaker breaker = {.profile = profile, .graph.limit = cycle_max};
	profile->cycle_max = cycle_max;
	if (!remove_lightest(&breaker))
		status = status_no_memory(error, profile->image->path);
	scratch_free(&breaker.graph.scratch);
	return status;
}
