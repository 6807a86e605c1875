/* SPDX-License-Identifier: MIT */
/*
 * Feedback arc sets: arcs of small total weight whose removal leaves no strongly connected component with more than
 * limit members. The minimum is NP-hard to find (Karp, 1972, for a limit of 1). Every solution is a row of groups with
 * at most limit nodes each: arcs within a group or to a later group stay, arcs to an earlier group are removed.
 */
#ifndef PROFILE_ANALYSIS_CYCLE_GRAPH_H
#define PROFILE_ANALYSIS_CYCLE_GRAPH_H

#include "base/array.h"

#include <stdint.h>

struct cycle_arc {
	uint32_t from, to; /* always different */
	double weight;     /* above 0 */
};

struct cycle_graph {
	size_t limit; /* maximum number of members; 1 or more */
	uint32_t node_count, arc_count;
	struct cycle_arc *arcs; /* sorted by from */
	uint32_t *first_out;    /* arcs from node n: first_out[n] up to first_out[n + 1] */
	uint32_t *first_in;     /* arcs to node n: likewise in in_arcs */
	uint32_t *in_arcs;
	uint32_t *heaviest; /* arcs by falling weight, equal ones by falling index */
	struct scratch scratch;
};

struct arc_cut {
	uint32_t *group;  /* by node: its group, below node_count */
	uint32_t *place;  /* by group: its place in the row; below node_count, all different */
	bool *is_removed; /* by arc */
	double weight;    /* weight of the removed arcs */
	struct scratch scratch;
};

/* Completes a graph whose limit, node_count, arc_count and arcs are set; false when out of memory. The caller frees
 * its scratch arrays, also on failure. */
bool cycle_graph_prepare(struct cycle_graph *graph);

/* False when out of memory. The caller frees the scratch arrays of *cut, also on failure. */
bool arc_cut_create(const struct cycle_graph *graph, struct arc_cut *cut);

/*
 * A good cut, the same on every run. Unless the graph is so large that the search ends early (some ten thousand arcs),
 * it weighs at most as much as the arcs removed by this method: remove the lightest arc of a component that is too
 * large, until there is none.
 */
bool cycle_graph_cut(const struct cycle_graph *graph, struct arc_cut *cut);

/* The two steps of cycle_graph_cut(). Each returns false when out of memory, and subtracts from *steps_left about one
 * step for every arc and node it visits. */

/*
 * Builds the cut again, arc by arc: an arc stays unless it makes a component too large. First come the arcs that stay
 * in the row of cut, if kept_first, then the others, the heaviest first. Afterwards groups are components. When no
 * steps are left, arcs that lead back are removed without a search.
 */
bool arc_cut_insert(const struct cycle_graph *graph, struct arc_cut *cut, bool kept_first, uint64_t *steps_left);

/*
 * Moves single nodes to the place in the row, or into the group, where the arcs that lead back weigh least, as long as
 * that helps and steps are left. Does not set is_removed and weight.
 */
bool arc_cut_sift(const struct cycle_graph *graph, struct arc_cut *cut, uint64_t *steps_left);

static inline void spend_steps(uint64_t *steps_left, uint64_t steps)
{
	*steps_left -= *steps_left > steps ? steps : *steps_left;
}

#endif
