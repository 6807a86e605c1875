/* SPDX-License-Identifier: MIT */
/*
 * Moves of single nodes, see arc_cut_sift(): sifting as for linear orders (Matuszewski, Schoenfeld, Molitor: "Using
 * sifting for k-layer straightline crossing minimization", 1999), with groups. The cost of a node's place changes
 * only at groups that it has arcs with, so only those are compared.
 */
#include "profile/analysis/cycle_graph.h"

#include <stdlib.h>

#define PASSES_MAX 16
#define ROUNDING   (1 - 1e-12) /* sums of the same weights in another order are not better */

/* The position of a group. Groups at the same place have no arcs to each other, except after rounding, and are ordered
 * by number. */
struct position {
	double place;
	uint32_t group;
};

/* A group that has arcs with the current node. */
struct neighbour {
	struct position position;
	double in, out; /* weight of the arcs to the node, and from it */
};

struct sifting {
	const struct cycle_graph *graph;
	uint32_t *group; /* by node: the cut's */
	uint32_t *size;  /* by group */
	double *place;   /* by group, for groups with members */
	uint32_t *free_groups;
	uint32_t free_count;
	struct position *row;
	struct neighbour *neighbours; /* room for the node with most arcs */
	uint64_t *steps_left;
	struct scratch scratch; /* the arrays but group */
};

static bool allocate(struct sifting *sifting, size_t nodes, size_t arcs)
{
	struct scratch *scratch = &sifting->scratch;

	sifting->size = scratch_array(scratch, nodes, sizeof *sifting->size);
	sifting->place = scratch_array(scratch, nodes, sizeof *sifting->place);
	sifting->free_groups = scratch_array(scratch, nodes, sizeof *sifting->free_groups);
	sifting->row = scratch_array(scratch, nodes, sizeof *sifting->row);
	sifting->neighbours = scratch_array(scratch, arcs, sizeof *sifting->neighbours);
	return !scratch->is_short_of_memory;
}

static int compare_positions(const void *left, const void *right)
{
	const struct position *a = left, *b = right;

	if (a->place < b->place || a->place > b->place)
		return a->place < b->place ? -1 : 1;
	return (a->group > b->group) - (a->group < b->group);
}

static int compare_neighbours(const void *left, const void *right)
{
	const struct neighbour *a = left, *b = right;

	return compare_positions(&a->position, &b->position);
}

static void spend_sorting(struct sifting *sifting, uint64_t count)
{
	for (uint64_t left = count; left > 0; left /= 2)
		spend_steps(sifting->steps_left, count);
}

/* Numbers the places of the row, so that there is room again between any two. */
static void number_places(struct sifting *sifting)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < sifting->graph->node_count; i++)
		if (sifting->size[i] > 0)
			sifting->row[count++] = (struct position){sifting->place[i], i};
	qsort(sifting->row, count, sizeof *sifting->row, compare_positions);
	for (uint32_t i = 0; i < count; i++)
		sifting->place[sifting->row[i].group] = i;
	spend_sorting(sifting, count);
}

static void start(struct sifting *sifting, const struct arc_cut *cut)
{
	uint32_t count = sifting->graph->node_count;

	for (uint32_t i = 0; i < count; i++) {
		sifting->size[cut->group[i]]++;
		sifting->place[i] = cut->place[i];
	}
	for (uint32_t i = 0; i < count; i++)
		if (sifting->size[i] == 0)
			sifting->free_groups[sifting->free_count++] = i;
}

static struct neighbour neighbour_of(const struct sifting *sifting, uint32_t node, double in, double out)
{
	uint32_t group = sifting->group[node];

	return (struct neighbour){{sifting->place[group], group}, in, out};
}

/* The groups that have arcs with a node, in the order of the row; returns how many there are. */
static size_t find_neighbours(struct sifting *sifting, uint32_t node)
{
	const struct cycle_graph *graph = sifting->graph;
	struct neighbour *neighbours = sifting->neighbours;
	size_t count = 0, kept = 0;

	for (uint32_t i = graph->first_out[node]; i < graph->first_out[node + 1]; i++)
		neighbours[count++] = neighbour_of(sifting, graph->arcs[i].to, 0, graph->arcs[i].weight);
	for (uint32_t i = graph->first_in[node]; i < graph->first_in[node + 1]; i++) {
		const struct cycle_arc *arc = &graph->arcs[graph->in_arcs[i]];

		neighbours[count++] = neighbour_of(sifting, arc->from, arc->weight, 0);
	}
	spend_sorting(sifting, count);
	qsort(neighbours, count, sizeof *neighbours, compare_neighbours);
	for (size_t i = 0; i < count; i++) {
		if (kept > 0 && neighbours[kept - 1].position.group == neighbours[i].position.group) {
			neighbours[kept - 1].in += neighbours[i].in;
			neighbours[kept - 1].out += neighbours[i].out;
		} else {
			neighbours[kept++] = neighbours[i];
		}
	}
	return kept;
}

/* A possible move of a node: into a group, or alone to a place. */
struct move {
	double cost; /* weight of the node's arcs that lead back then */
	bool is_alone;
	struct position to;
};

static double current_cost(const struct sifting *sifting, uint32_t node, size_t count)
{
	const struct position own = neighbour_of(sifting, node, 0, 0).position;
	double cost = 0;

	for (size_t i = 0; i < count; i++) {
		const struct neighbour *neighbour = &sifting->neighbours[i];
		int order = compare_positions(&neighbour->position, &own);

		cost += order > 0 ? neighbour->in : order < 0 ? neighbour->out : 0;
	}
	return cost;
}

static void consider(struct move *best, const struct move *other)
{
	if (other->cost < best->cost)
		*best = *other;
}

/* The place between a neighbour and the next one, unless rounding leaves no room there. */
static void consider_after(const struct sifting *sifting, struct move *best, double cost, size_t i, size_t count)
{
	double before = sifting->neighbours[i].position.place;
	double after = i + 1 < count ? sifting->neighbours[i + 1].position.place : before + 2;
	double place = before + (after - before) / 2;

	if (before < place && place < after)
		consider(best, &(struct move){.cost = cost, .is_alone = true, .to.place = place});
}

/* Walks along the row. Before all neighbours, every arc to the node leads back. After a neighbour, its arcs to the node
 * no longer lead back, but the node's arcs to it do. */
static struct move find_best(const struct sifting *sifting, size_t count)
{
	const struct neighbour *neighbours = sifting->neighbours;
	struct move best = {.is_alone = true, .to.place = neighbours[0].position.place - 1};

	for (size_t i = 0; i < count; i++)
		best.cost += neighbours[i].in;
	double cost = best.cost;
	for (size_t i = 0; i < count; i++) {
		cost -= neighbours[i].in;
		if (sifting->size[neighbours[i].position.group] < sifting->graph->limit)
			consider(&best, &(struct move){.cost = cost, .to = neighbours[i].position});
		cost += neighbours[i].out;
		consider_after(sifting, &best, cost, i, count);
	}
	return best;
}

static void apply(struct sifting *sifting, uint32_t node, const struct move *move)
{
	uint32_t group = move->to.group;

	if (--sifting->size[sifting->group[node]] == 0)
		sifting->free_groups[sifting->free_count++] = sifting->group[node];
	if (move->is_alone) {
		group = sifting->free_groups[--sifting->free_count];
		sifting->place[group] = move->to.place;
	}
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
	if (!(best.cost < current_cost(sifting, node, count) * ROUNDING))
		return false;
	apply(sifting, node, &best);
	return true;
}

bool arc_cut_sift(const struct cycle_graph *graph, struct arc_cut *cut, uint64_t *steps_left)
{
	struct sifting sifting = {.graph = graph, .group = cut->group, .steps_left = steps_left};
	bool ok = allocate(&sifting, graph->node_count, graph->arc_count), moved = ok;

	if (ok)
		start(&sifting, cut);
	for (unsigned pass = 0; moved && pass < PASSES_MAX; pass++) {
		moved = false;
		for (uint32_t node = 0; *steps_left > 0 && node < graph->node_count; node++)
			moved |= sift_node(&sifting, node);
		number_places(&sifting);
	}
	for (uint32_t i = 0; ok && i < graph->node_count; i++)
		cut->place[i] = (uint32_t)sifting.place[i];
	scratch_free(&sifting.scratch);
	return ok;
}
