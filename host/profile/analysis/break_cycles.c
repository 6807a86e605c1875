/* SPDX-License-Identifier: MIT */
/*
 * Pass: removes arcs from the propagation so that no cycle has more than so many members. What it costs is the number
 * of calls of the removed arcs, whose callees' time then no longer reaches their callers; arcs without calls, which the
 * instructions alone tell of, cost next to nothing. Knows nothing of how arcs are chosen.
 */
#include "capture/count.h"
#include "profile/analysis/analysis.h"
#include "profile/analysis/cycle_graph.h"

#include <stdlib.h>

#define NONE UINT32_MAX

struct breaking {
	struct profile *profile;
	struct tangle tangle;
	uint32_t *number; /* of each node in the tangle; NONE: it is in no large cycle */
	uint32_t *arcs;   /* of each arc of the tangle, its index in the profile */
};

static void number_nodes(struct breaking *breaking)
{
	const struct profile *profile = breaking->profile;
	for (size_t i = 0; i < profile->node_count; i++) {
		size_t cycle = profile->nodes[i].cycle;
		bool is_large = cycle != PROFILE_NONE && profile->cycles[cycle].member_count > breaking->tangle.limit;
		breaking->number[i] = is_large ? breaking->tangle.node_count++ : NONE;
	}
}

/* Within one large cycle, and no recursion. */
static bool is_tangled(const struct breaking *breaking, const struct profile_arc *arc)
{
	const struct profile_node *nodes = breaking->profile->nodes;
	return arc->caller != arc->callee && breaking->number[arc->caller] != NONE &&
	       nodes[arc->caller].cycle == nodes[arc->callee].cycle;
}

static void collect_arcs(struct breaking *breaking)
{
	const struct profile *profile = breaking->profile;
	struct tangle *tangle = &breaking->tangle;
	/* All arcs together weigh less than one call more than their calls: of equal costs, fewer arcs are less. */
	double least = 1.0 / ((double)profile->arc_count + 1);
	for (size_t i = 0; i < profile->arc_count; i++) {
		const struct profile_arc *arc = &profile->arcs[i];
		if (!is_tangled(breaking, arc))
			continue;
		breaking->arcs[tangle->arc_count] = (uint32_t)i;
		tangle->arcs[tangle->arc_count++] = (struct tangle_arc){
		        .from = breaking->number[arc->caller],
		        .to = breaking->number[arc->callee],
		        .weight = (double)arc->count + least,
		};
	}
}

static bool prepare(struct breaking *breaking)
{
	const struct profile *profile = breaking->profile;
	breaking->number = calloc(profile->node_count + 1, sizeof *breaking->number);
	breaking->arcs = calloc(profile->arc_count + 1, sizeof *breaking->arcs);
	breaking->tangle.arcs = calloc(profile->arc_count + 1, sizeof *breaking->tangle.arcs);
	if (breaking->number == NULL || breaking->arcs == NULL || breaking->tangle.arcs == NULL)
		return false;
	number_nodes(breaking);
	collect_arcs(breaking);
	return tangle_prepare(&breaking->tangle);
}

static void remove_arcs(struct breaking *breaking, const struct cut *cut)
{
	struct profile *profile = breaking->profile;
	for (uint32_t i = 0; i < breaking->tangle.arc_count; i++) {
		struct profile_arc *arc = &profile->arcs[breaking->arcs[i]];
		struct profile_node *callee = &profile->nodes[arc->callee];
		if (!cut->is_removed[i])
			continue;
		arc->is_removed = true;
		count_add(&callee->removed_calls, arc->count);
		profile->removed_count++;
	}
}

static bool break_tangle(struct breaking *breaking)
{
	struct cut cut = {0};
	bool enough = prepare(breaking) && cut_create(&breaking->tangle, &cut) && tangle_solve(&breaking->tangle, &cut);
	if (enough)
		remove_arcs(breaking, &cut);
	cut_free(&cut);
	return enough;
}

enum status analysis_break_cycles(struct profile *profile, size_t cycle_max, struct error *error)
{
	enum status status = analysis_find_cycles(profile, error);
	if (status != STATUS_OK)
		return status;
	struct breaking breaking = {.profile = profile, .tangle.limit = cycle_max};
	profile->cycle_max = cycle_max;
	if (!break_tangle(&breaking))
		status = status_fail(error, "%s: out of memory for breaking the cycles of %zu arcs",
		                     profile->image->path, profile->arc_count);
	tangle_free(&breaking.tangle);
	free(breaking.number);
	free(breaking.arcs);
	return status;
}
