/* SPDX-License-Identifier: MIT */
/* The first row of nodes, see tangle_order() in tangle.h. Nodes that are left wait in a heap, the best on top. */
#include "profile/analysis/cycle_graph.h"

#include <stdlib.h>

#define GONE UINT32_MAX

struct ordering {
	const struct tangle *tangle;
	double *surplus; /* of each node left: weight of arcs to nodes left, less that of those from them */
	uint32_t *outs;  /* and how many arcs there are */
	uint32_t *ins;
	uint32_t *heap;
	uint32_t heap_size;
	uint32_t *heap_place; /* of each node; GONE if it has its place in the row */
	uint32_t *ends;       /* sources and sinks to be taken; every node comes here at most twice */
	uint32_t end_count;
};

static bool allocate(struct ordering *ordering, size_t nodes)
{
	ordering->surplus = calloc(nodes + 1, sizeof *ordering->surplus);
	ordering->outs = calloc(nodes + 1, sizeof *ordering->outs);
	ordering->ins = calloc(nodes + 1, sizeof *ordering->ins);
	ordering->heap = calloc(nodes + 1, sizeof *ordering->heap);
	ordering->heap_place = calloc(nodes + 1, sizeof *ordering->heap_place);
	ordering->ends = calloc(2 * nodes + 1, sizeof *ordering->ends);
	return ordering->surplus != NULL && ordering->outs != NULL && ordering->ins != NULL && ordering->heap != NULL &&
	       ordering->heap_place != NULL && ordering->ends != NULL;
}

static void release(struct ordering *ordering)
{
	free(ordering->surplus);
	free(ordering->outs);
	free(ordering->ins);
	free(ordering->heap);
	free(ordering->heap_place);
	free(ordering->ends);
}

static bool is_better(const struct ordering *ordering, uint32_t left, uint32_t right)
{
	double a = ordering->surplus[left], b = ordering->surplus[right];
	return a > b || (!(a < b) && left < right);
}

static void put(struct ordering *ordering, uint32_t place, uint32_t node)
{
	ordering->heap[place] = node;
	ordering->heap_place[node] = place;
}

static void rise(struct ordering *ordering, uint32_t node)
{
	uint32_t place = ordering->heap_place[node];
	while (place > 0 && is_better(ordering, node, ordering->heap[(place - 1) / 2])) {
		put(ordering, place, ordering->heap[(place - 1) / 2]);
		place = (place - 1) / 2;
	}
	put(ordering, place, node);
}

static void sink(struct ordering *ordering, uint32_t node)
{
	uint32_t place = ordering->heap_place[node];
	for (uint32_t child; (child = 2 * place + 1) < ordering->heap_size; place = child) {
		if (child + 1 < ordering->heap_size &&
		    is_better(ordering, ordering->heap[child + 1], ordering->heap[child]))
			child++;
		if (!is_better(ordering, ordering->heap[child], node))
			break;
		put(ordering, place, ordering->heap[child]);
	}
	put(ordering, place, node);
}

static void leave_heap(struct ordering *ordering, uint32_t node)
{
	uint32_t place = ordering->heap_place[node];
	uint32_t last = ordering->heap[--ordering->heap_size];
	ordering->heap_place[node] = GONE;
	if (last == node)
		return;
	put(ordering, place, last);
	rise(ordering, last);
	sink(ordering, last);
}

static void note_end(struct ordering *ordering, uint32_t node)
{
	ordering->ends[ordering->end_count++] = node;
}

/* Takes a node out; nodes without arcs in or out among those left become ends. */
static void take(struct ordering *ordering, uint32_t node)
{
	const struct tangle *tangle = ordering->tangle;
	leave_heap(ordering, node);
	for (uint32_t i = tangle->first_out[node]; i < tangle->first_out[node + 1]; i++) {
		uint32_t to = tangle->arcs[i].to;
		if (ordering->heap_place[to] == GONE)
			continue;
		ordering->surplus[to] += tangle->arcs[i].weight;
		rise(ordering, to);
		if (--ordering->ins[to] == 0)
			note_end(ordering, to);
	}
	for (uint32_t i = tangle->first_in[node]; i < tangle->first_in[node + 1]; i++) {
		const struct tangle_arc *arc = &tangle->arcs[tangle->in_arcs[i]];
		if (ordering->heap_place[arc->from] == GONE)
			continue;
		ordering->surplus[arc->from] -= arc->weight;
		sink(ordering, arc->from);
		if (--ordering->outs[arc->from] == 0)
			note_end(ordering, arc->from);
	}
}

static void enter_all(struct ordering *ordering)
{
	const struct tangle *tangle = ordering->tangle;
	for (uint32_t i = 0; i < tangle->arc_count; i++) {
		const struct tangle_arc *arc = &tangle->arcs[i];
		ordering->surplus[arc->from] += arc->weight;
		ordering->surplus[arc->to] -= arc->weight;
		ordering->outs[arc->from]++;
		ordering->ins[arc->to]++;
	}
	for (uint32_t i = 0; i < tangle->node_count; i++) {
		ordering->heap_size++;
		put(ordering, i, i);
		rise(ordering, i);
		if (ordering->ins[i] == 0 || ordering->outs[i] == 0)
			note_end(ordering, i);
	}
}

/* The next node to be taken: an end, if there is one. */
static uint32_t choose(struct ordering *ordering)
{
	while (ordering->end_count > 0) {
		uint32_t node = ordering->ends[--ordering->end_count];
		if (ordering->heap_place[node] != GONE)
			return node;
	}
	return ordering->heap[0];
}

static void arrange(struct ordering *ordering, struct cut *cut)
{
	uint32_t front = 0, back = ordering->tangle->node_count;
	while (front < back) {
		uint32_t node = choose(ordering);
		bool is_sink = ordering->outs[node] == 0;
		cut->group[node] = node;
		cut->place[node] = is_sink ? --back : front++;
		take(ordering, node);
	}
}

bool tangle_order(const struct tangle *tangle, struct cut *cut)
{
	struct ordering ordering = {.tangle = tangle};
	bool enough = allocate(&ordering, tangle->node_count);
	if (enough) {
		enter_all(&ordering);
		arrange(&ordering, cut);
	}
	release(&ordering);
	return enough;
}
