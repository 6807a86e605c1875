/* SPDX-License-Identifier: MIT */
/*
 * A tangle: arcs that form components with too many members, and which of them to remove. Every solution is an
 * arrangement: groups of at most limit nodes in a row, in which arcs within a group and from a group to a later one
 * stay and all others go. The search is for one whose removed arcs weigh little; the least is NP-hard to find (Karp,
 * 1972, for a limit of 1). Knows nothing of functions and times.
 */
#ifndef PROFILE_ANALYSIS_CYCLE_GRAPH_H
#define PROFILE_ANALYSIS_CYCLE_GRAPH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct tangle_arc {
	uint32_t from, to; /* never the same */
	double weight;     /* above 0 */
};

struct tangle {
	size_t limit; /* of members; 1 or more */
	uint32_t node_count, arc_count;
	struct tangle_arc *arcs; /* sorted by from */
	uint32_t *first_out;     /* arcs of node n are from first_out[n] up to first_out[n + 1] */
	uint32_t *first_in;      /* places in in_arcs likewise */
	uint32_t *in_arcs;
	uint32_t *heaviest; /* arcs by falling weight; of equal ones the last comes first */
};

/* A way to cut it. */
struct cut {
	uint32_t *group;  /* of each node; below node_count */
	uint32_t *place;  /* of each group: where it stands in the row; no two have the same */
	bool *is_removed; /* each arc */
	double weight;    /* of the removed ones */
};

/* Completes a tangle of which limit, node_count, arc_count and arcs are set; false when memory runs out. */
bool tangle_prepare(struct tangle *tangle);
void tangle_free(struct tangle *tangle);

/* *cut is the caller's to free, also on failure; false when memory runs out. */
bool cut_create(const struct tangle *tangle, struct cut *cut);
void cut_free(struct cut *cut);

/*
 * The best cut that is found in about n log n; the same on every run. In a tangle of some thousand arcs, whose search
 * comes to its end, it weighs no more than what goes if one removes the lightest arc of a component too large, and so
 * on until there is none.
 */
bool tangle_solve(const struct tangle *tangle, struct cut *cut);

/*
 * --- The steps of it. Each returns false when memory runs out. Work that may be done again and again takes from
 * *steps_left: one for every arc that is looked at, and what sorting takes.
 */

static inline void tangle_spend(uint64_t *steps_left, uint64_t steps)
{
	*steps_left -= *steps_left > steps ? steps : *steps_left;
}

static inline bool tangle_is_spent(const uint64_t *steps_left)
{
	return *steps_left == 0;
}

/* What it takes to sort so many. */
static inline uint64_t tangle_sort_steps(uint64_t count)
{
	uint64_t steps = count;
	for (uint64_t left = count; left > 1; left /= 2)
		steps += count;
	return steps;
}

/*
 * A row of single nodes in which few arcs lead back: sinks go to its end, sources to its front, and where there is
 * neither the node whose arcs out outweigh those in most (Eades, Lin, Smyth: "A fast and effective heuristic for the
 * feedback arc set problem", 1993, with weights).
 */
bool tangle_order(const struct tangle *tangle, struct cut *cut);

/* Moves single nodes to where in the row, or into which group, they cost least, for as long as that helps and steps are
 * left. Leaves is_removed and weight as they are. */
bool tangle_sift(const struct tangle *tangle, struct cut *cut, uint64_t *steps_left);

/*
 * Builds the cut anew, arc by arc: one stays unless it makes a component too large. First come those that stay in the
 * arrangement, if kept_first, then the others, the heaviest first. Groups are components then. When no steps are left,
 * arcs that lead back are removed unseen.
 */
bool tangle_insert(const struct tangle *tangle, struct cut *cut, bool kept_first, uint64_t *steps_left);

#endif
