/* SPDX-License-Identifier: MIT */
/*
 * Moves of single nodes, see tangle_sift() in tangle.h: sifting as for linear orders (Matuszewski, Schoenfeld, Molitor:
 * "Using sifting for k-layer straightline crossing minimization", 1999), with groups. What a node costs at a place
 * changes only at groups that it has arcs with, so it is enough to look there.
 */
#include "profile/analysis/cycle_graph.h"

#include <stdlib.h>

#define PASSES_MAX 16
#define NONE       UINT32_MAX
#define ROUNDING   (1 - 1e-12) /* sums of the same weights in another order are not better */

/* A group that the node at hand has arcs with. */
struct neighbour {
	uint64_t label;
	uint32_t group;
	double in, out; /* weight of the arcs from it, and to it */
};

struct sifting {
	const struct tangle *tangle;
	uint32_t *group;       /* of each node: the cut's */
	uint32_t *size;        /* of each group; 0: free */
	uint64_t *label;       /* of each group, rising along the row */
	uint32_t *next, *last; /* groups behind and before each in the row; NONE at its ends */
	uint32_t first;
	uint32_t *free_groups;
	uint32_t free_count;
	struct neighbour *neighbours; /* room for the node with most arcs */
	uint64_t *steps_left;
};

static bool allocate(struct sifting *sifting, size_t nodes, size_t arcs)
{
	sifting->size = calloc(nodes + 1, sizeof *sifting->size);
	sifting->label = calloc(nodes + 1, sizeof *sifting->label);
	sifting->next = calloc(nodes + 1, sizeof *sifting->next);
	sifting->last = calloc(nodes + 1, sizeof *sifting->last);
	sifting->free_groups = calloc(nodes + 1, sizeof *sifting->free_groups);
	sifting->neighbours = calloc(arcs + 1, sizeof *sifting->neighbours);
	return sifting->size != NULL && sifting->label != NULL && sifting->next != NULL && sifting->last != NULL &&
	       sifting->free_groups != NULL && sifting->neighbours != NULL;
}

static void release(struct sifting *sifting)
{
	free(sifting->size);
	free(sifting->label);
	free(sifting->next);
	free(sifting->last);
	free(sifting->free_groups);
	free(sifting->neighbours);
}

/* Spreads the labels evenly. Left and right of each group there is room for about 2^31 groups more. */
static void spread_labels(struct sifting *sifting)
{
	uint64_t distance = UINT64_MAX / ((uint64_t)sifting->tangle->node_count + 1);
	uint64_t label = 0;
	for (uint32_t group = sifting->first; group != NONE; group = sifting->next[group])
		sifting->label[group] = label += distance;
	tangle_spend(sifting->steps_left, sifting->tangle->node_count);
}

static void link_behind(struct sifting *sifting, uint32_t group, uint32_t before)
{
	uint32_t behind = before == NONE ? sifting->first : sifting->next[before];
	sifting->last[group] = before;
	sifting->next[group] = behind;
	if (behind != NONE)
		sifting->last[behind] = group;
	if (before != NONE)
		sifting->next[before] = group;
	else
		sifting->first = group;
}

static void unlink_group(struct sifting *sifting, uint32_t group)
{
	uint32_t before = sifting->last[group], behind = sifting->next[group];
	if (behind != NONE)
		sifting->last[behind] = before;
	if (before != NONE)
		sifting->next[before] = behind;
	else
		sifting->first = behind;
	sifting->free_groups[sifting->free_count++] = group;
}

/* The row as the cut has it: places are below node_count. */
static bool take_row(struct sifting *sifting, const struct cut *cut)
{
	uint32_t count = sifting->tangle->node_count, end = NONE;
	uint32_t *at = malloc(((size_t)count + 1) * sizeof *at);
	if (at == NULL)
		return false;
	for (uint32_t i = 0; i < count; i++)
		at[i] = NONE;
	for (uint32_t node = 0; node < count; node++) {
		sifting->size[cut->group[node]]++;
		at[cut->place[cut->group[node]]] = cut->group[node];
	}
	for (uint32_t i = 0; i < count; i++) {
		if (sifting->size[i] == 0)
			sifting->free_groups[sifting->free_count++] = i;
		if (at[i] == NONE)
			continue;
		link_behind(sifting, at[i], end);
		end = at[i];
	}
	free(at);
	spread_labels(sifting);
	return true;
}

static void give_row(const struct sifting *sifting, struct cut *cut)
{
	uint32_t place = 0;
	for (uint32_t group = sifting->first; group != NONE; group = sifting->next[group])
		cut->place[group] = place++;
}

static int compare_neighbours(const void *left, const void *right)
{
	const struct neighbour *a = left, *b = right;
	return (a->label > b->label) - (a->label < b->label);
}

static struct neighbour neighbour_of(const struct sifting *sifting, uint32_t node, double in, double out)
{
	uint32_t group = sifting->group[node];
	return (struct neighbour){sifting->label[group], group, in, out};
}

/* The groups that a node has arcs with, in the order of the row; returns how many there are. */
static size_t find_neighbours(struct sifting *sifting, uint32_t node)
{
	const struct tangle *tangle = sifting->tangle;
	struct neighbour *neighbours = sifting->neighbours;
	size_t count = 0, kept = 0;
	for (uint32_t i = tangle->first_out[node]; i < tangle->first_out[node + 1]; i++)
		neighbours[count++] = neighbour_of(sifting, tangle->arcs[i].to, 0, tangle->arcs[i].weight);
	for (uint32_t i = tangle->first_in[node]; i < tangle->first_in[node + 1]; i++) {
		const struct tangle_arc *arc = &tangle->arcs[tangle->in_arcs[i]];
		neighbours[count++] = neighbour_of(sifting, arc->from, arc->weight, 0);
	}
	tangle_spend(sifting->steps_left, tangle_sort_steps(count) + 1);
	qsort(neighbours, count, sizeof *neighbours, compare_neighbours);
	for (size_t i = 0; i < count; i++) {
		if (kept > 0 && neighbours[kept - 1].group == neighbours[i].group) {
			neighbours[kept - 1].in += neighbours[i].in;
			neighbours[kept - 1].out += neighbours[i].out;
		} else {
			neighbours[kept++] = neighbours[i];
		}
	}
	return kept;
}

/* Where a node could go: into a group, or into one of its own behind it or before it. */
enum move_kind { MOVE_INTO, MOVE_BEHIND, MOVE_BEFORE };
struct move {
	double cost; /* of the node's arcs that lead back then */
	enum move_kind kind;
	uint32_t group;
};

static double cost_now(const struct sifting *sifting, uint32_t node, size_t count)
{
	uint64_t label = sifting->label[sifting->group[node]];
	double cost = 0;
	for (size_t i = 0; i < count; i++) {
		const struct neighbour *neighbour = &sifting->neighbours[i];
		if (neighbour->label > label)
			cost += neighbour->in;
		else if (neighbour->label < label)
			cost += neighbour->out;
	}
	return cost;
}

static void consider(struct move *best, double cost, enum move_kind kind, uint32_t group)
{
	if (cost < best->cost)
		*best = (struct move){.cost = cost, .kind = kind, .group = group};
}

/* Along the row: before all neighbours every arc in leads back; behind each one its arcs in do so no more, and those to
 * it do. */
static struct move find_best(const struct sifting *sifting, size_t count)
{
	double cost = 0;
	for (size_t i = 0; i < count; i++)
		cost += sifting->neighbours[i].in;
	struct move best = {.cost = cost, .kind = MOVE_BEFORE, .group = sifting->neighbours[0].group};
	for (size_t i = 0; i < count; i++) {
		const struct neighbour *neighbour = &sifting->neighbours[i];
		cost -= neighbour->in;
		if (sifting->size[neighbour->group] < sifting->tangle->limit)
			consider(&best, cost, MOVE_INTO, neighbour->group);
		cost += neighbour->out;
		consider(&best, cost, MOVE_BEHIND, neighbour->group);
	}
	return best;
}

/* A new group in the row; it has no members yet. */
static uint32_t make_group(struct sifting *sifting, uint32_t before)
{
	uint32_t group = sifting->free_groups[--sifting->free_count];
	link_behind(sifting, group, before);
	uint32_t behind = sifting->next[group];
	uint64_t low = before == NONE ? 0 : sifting->label[before];
	uint64_t high = behind == NONE ? UINT64_MAX : sifting->label[behind];
	sifting->label[group] = low + (high - low) / 2;
	if (high - low < 2)
		spread_labels(sifting);
	return group;
}

/* The group that it leaves may become empty, and is in the row until then: the move may name it. */
static void apply(struct sifting *sifting, uint32_t node, const struct move *move)
{
	uint32_t old = sifting->group[node], group = move->group;
	if (--sifting->size[old] == 0)
		unlink_group(sifting, old);
	if (move->kind == MOVE_BEHIND)
		group = make_group(sifting, move->group);
	else if (move->kind == MOVE_BEFORE)
		group = make_group(sifting, sifting->last[move->group]);
	sifting->group[node] = group;
	sifting->size[group]++;
}

/* True if a better place was found. */
static bool sift_node(struct sifting *sifting, uint32_t node)
{
	size_t count = find_neighbours(sifting, node);
	if (count == 0)
		return false;
	const struct move best = find_best(sifting, count);
	if (!(best.cost < cost_now(sifting, node, count) * ROUNDING))
		return false;
	apply(sifting, node, &best);
	return true;
}

bool tangle_sift(const struct tangle *tangle, struct cut *cut, uint64_t *steps_left)
{
	struct sifting sifting = {
	        .tangle = tangle,
	        .group = cut->group,
	        .first = NONE,
	        .steps_left = steps_left,
	};
	bool enough = allocate(&sifting, tangle->node_count, tangle->arc_count) && take_row(&sifting, cut);
	bool moved = enough;
	for (unsigned pass = 0; moved && pass < PASSES_MAX; pass++) {
		moved = false;
		for (uint32_t node = 0; node < tangle->node_count && !tangle_is_spent(steps_left); node++)
			moved |= sift_node(&sifting, node);
	}
	if (enough)
		give_row(&sifting, cut);
	release(&sifting);
	return enough;
}
