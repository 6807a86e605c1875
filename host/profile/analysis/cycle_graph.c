/* SPDX-License-Identifier: MIT */
/* See tangle.h. */
#include "profile/analysis/cycle_graph.h"

#include <stdlib.h>
#include <string.h>

#define ROUNDS_MAX 8 /* of moving nodes and inserting arcs; one or two are usual */

/* What may be spent on each of two ways of finding a cut: seconds for a million arcs. Of the second one, which is there
 * for small tangles, the end is rarely seen in large ones. */
#define STEPS_LEAST    UINT64_C(50000000)
#define FIRST_PER_ARC  UINT64_C(120)
#define SECOND_PER_ARC UINT64_C(30)

struct ranked {
	double weight;
	uint32_t arc;
};

static int compare_ranked(const void *left, const void *right)
{
	const struct ranked *a = left, *b = right;
	if (a->weight < b->weight || a->weight > b->weight)
		return a->weight > b->weight ? -1 : 1;
	return (a->arc < b->arc) - (a->arc > b->arc);
}

static bool rank_arcs(struct tangle *tangle)
{
	struct ranked *ranked = calloc((size_t)tangle->arc_count + 1, sizeof *ranked);
	if (ranked == NULL)
		return false;
	for (uint32_t i = 0; i < tangle->arc_count; i++)
		ranked[i] = (struct ranked){tangle->arcs[i].weight, i};
	qsort(ranked, tangle->arc_count, sizeof *ranked, compare_ranked);
	for (uint32_t i = 0; i < tangle->arc_count; i++)
		tangle->heaviest[i] = ranked[i].arc;
	free(ranked);
	return true;
}

/* first_in ends up one place early and is put right by being filled. */
static void index_arcs(struct tangle *tangle)
{
	for (uint32_t i = 0; i < tangle->arc_count; i++) {
		tangle->first_out[tangle->arcs[i].from + 1]++;
		tangle->first_in[tangle->arcs[i].to + 2]++;
	}
	for (uint32_t i = 0; i < tangle->node_count; i++) {
		tangle->first_out[i + 1] += tangle->first_out[i];
		tangle->first_in[i + 2] += tangle->first_in[i + 1];
	}
	for (uint32_t i = 0; i < tangle->arc_count; i++)
		tangle->in_arcs[tangle->first_in[tangle->arcs[i].to + 1]++] = i;
}

bool tangle_prepare(struct tangle *tangle)
{
	tangle->first_out = calloc((size_t)tangle->node_count + 2, sizeof *tangle->first_out);
	tangle->first_in = calloc((size_t)tangle->node_count + 2, sizeof *tangle->first_in);
	tangle->in_arcs = calloc((size_t)tangle->arc_count + 1, sizeof *tangle->in_arcs);
	tangle->heaviest = calloc((size_t)tangle->arc_count + 1, sizeof *tangle->heaviest);
	if (tangle->first_out == NULL || tangle->first_in == NULL || tangle->in_arcs == NULL ||
	    tangle->heaviest == NULL)
		return false;
	index_arcs(tangle);
	return rank_arcs(tangle);
}

void tangle_free(struct tangle *tangle)
{
	free(tangle->arcs);
	free(tangle->first_out);
	free(tangle->first_in);
	free(tangle->in_arcs);
	free(tangle->heaviest);
}

bool cut_create(const struct tangle *tangle, struct cut *cut)
{
	*cut = (struct cut){
	        .group = calloc((size_t)tangle->node_count + 1, sizeof *cut->group),
	        .place = calloc((size_t)tangle->node_count + 1, sizeof *cut->place),
	        .is_removed = calloc((size_t)tangle->arc_count + 1, sizeof *cut->is_removed),
	};
	return cut->group != NULL && cut->place != NULL && cut->is_removed != NULL;
}

void cut_free(struct cut *cut)
{
	free(cut->group);
	free(cut->place);
	free(cut->is_removed);
}

static void copy_cut(const struct tangle *tangle, struct cut *to, const struct cut *from)
{
	memcpy(to->group, from->group, tangle->node_count * sizeof *to->group);
	memcpy(to->place, from->place, tangle->node_count * sizeof *to->place);
	memcpy(to->is_removed, from->is_removed, tangle->arc_count * sizeof *to->is_removed);
	to->weight = from->weight;
}

/* Makes the cut as good as moves and insertions make it. */
static bool improve(const struct tangle *tangle, struct cut *cut, struct cut *tried, uint64_t *steps_left)
{
	for (unsigned round = 0; round < ROUNDS_MAX && !tangle_is_spent(steps_left); round++) {
		copy_cut(tangle, tried, cut);
		if (!tangle_sift(tangle, tried, steps_left) || !tangle_insert(tangle, tried, true, steps_left))
			return false;
		if (!(tried->weight < cut->weight))
			return true;
		copy_cut(tangle, cut, tried);
	}
	return true;
}

/*
 * From two ends: a good row of nodes, and arcs inserted by their weight alone. Of the latter each arc that is removed
 * closes a component too large with heavier arcs only: taking away the lightest arcs first would remove it, too.
 */
static bool solve(const struct tangle *tangle, struct cut *cut, struct cut *other, struct cut *tried)
{
	uint64_t steps = STEPS_LEAST + FIRST_PER_ARC * tangle->arc_count;
	uint64_t more_steps = STEPS_LEAST + SECOND_PER_ARC * tangle->arc_count;
	if (!tangle_order(tangle, cut))
		return false;
	copy_cut(tangle, other, cut);
	if (!tangle_sift(tangle, cut, &steps) || !tangle_insert(tangle, cut, true, &steps) ||
	    !improve(tangle, cut, tried, &steps))
		return false;
	if (!tangle_insert(tangle, other, false, &more_steps) || !improve(tangle, other, tried, &more_steps))
		return false;
	if (other->weight < cut->weight)
		copy_cut(tangle, cut, other);
	return true;
}

bool tangle_solve(const struct tangle *tangle, struct cut *cut)
{
	struct cut other = {0}, tried = {0};
	bool enough = cut_create(tangle, &other) && cut_create(tangle, &tried) && solve(tangle, cut, &other, &tried);
	cut_free(&other);
	cut_free(&tried);
	return enough;
}
