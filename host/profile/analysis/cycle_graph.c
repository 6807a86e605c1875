/* SPDX-License-Identifier: MIT */
/*
 * Feedback arc sets, see cycle_graph.h: the lightest cut of three searches, which start from the arcs by falling
 * weight, from the nodes by number, and from the nodes in reverse. Each search sifts the nodes and inserts the arcs
 * again.
 */
#include "profile/analysis/cycle_graph.h"

#include <stdlib.h>
#include <string.h>

/* For each of the seven stages: some seconds in all for a million arcs. */
#define STEPS_MIN     UINT64_C(15000000)
#define STEPS_PER_ARC UINT64_C(15)

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

static bool rank_arcs(struct cycle_graph *graph)
{
	struct ranked *ranked = calloc((size_t)graph->arc_count + 1, sizeof *ranked);

	if (ranked == NULL)
		return false;
	for (uint32_t i = 0; i < graph->arc_count; i++)
		ranked[i] = (struct ranked){graph->arcs[i].weight, i};
	qsort(ranked, graph->arc_count, sizeof *ranked, compare_ranked);
	for (uint32_t i = 0; i < graph->arc_count; i++)
		graph->heaviest[i] = ranked[i].arc;
	free(ranked);
	return true;
}

/* first_in is built one place early; filling in_arcs moves it into place. */
static void index_arcs(struct cycle_graph *graph)
{
	for (uint32_t i = 0; i < graph->arc_count; i++) {
		graph->first_out[graph->arcs[i].from + 1]++;
		graph->first_in[graph->arcs[i].to + 2]++;
	}
	for (uint32_t i = 0; i < graph->node_count; i++) {
		graph->first_out[i + 1] += graph->first_out[i];
		graph->first_in[i + 2] += graph->first_in[i + 1];
	}
	for (uint32_t i = 0; i < graph->arc_count; i++)
		graph->in_arcs[graph->first_in[graph->arcs[i].to + 1]++] = i;
}

bool cycle_graph_prepare(struct cycle_graph *graph)
{
	struct scratch *scratch = &graph->scratch;

	graph->first_out = scratch_array(scratch, (size_t)graph->node_count + 1, sizeof *graph->first_out);
	graph->first_in = scratch_array(scratch, (size_t)graph->node_count + 1, sizeof *graph->first_in);
	graph->in_arcs = scratch_array(scratch, graph->arc_count, sizeof *graph->in_arcs);
	graph->heaviest = scratch_array(scratch, graph->arc_count, sizeof *graph->heaviest);
	if (scratch->is_short_of_memory)
		return false;
	index_arcs(graph);
	return rank_arcs(graph);
}

/* Each node is a group of its own, in the order of their numbers. */
bool arc_cut_create(const struct cycle_graph *graph, struct arc_cut *cut)
{
	*cut = (struct arc_cut){.weight = 0};
	cut->group = scratch_array(&cut->scratch, graph->node_count, sizeof *cut->group);
	cut->place = scratch_array(&cut->scratch, graph->node_count, sizeof *cut->place);
	cut->is_removed = scratch_array(&cut->scratch, graph->arc_count, sizeof *cut->is_removed);
	if (cut->scratch.is_short_of_memory)
		return false;
	for (uint32_t i = 0; i < graph->node_count; i++) {
		cut->group[i] = i;
		cut->place[i] = i;
	}
	return true;
}

static uint64_t stage_steps(const struct cycle_graph *graph)
{
	return STEPS_MIN + STEPS_PER_ARC * graph->arc_count;
}

/* Never makes the row worse: sifting moves nodes only where it helps, and the arcs that stay are inserted first. */
static bool improve(const struct cycle_graph *graph, struct arc_cut *cut)
{
	uint64_t sifting = stage_steps(graph), insertion = stage_steps(graph);

	return arc_cut_sift(graph, cut, &sifting) && arc_cut_insert(graph, cut, true, &insertion);
}

static void copy_cut(const struct cycle_graph *graph, struct arc_cut *to, const struct arc_cut *from)
{
	memcpy(to->group, from->group, graph->node_count * sizeof *to->group);
	memcpy(to->place, from->place, graph->node_count * sizeof *to->place);
	memcpy(to->is_removed, from->is_removed, graph->arc_count * sizeof *to->is_removed);
	to->weight = from->weight;
}

/* Starts from the row of nodes by number, or in reverse, and keeps the result if it is lighter than *best. */
static bool try_row(const struct cycle_graph *graph, struct arc_cut *best, bool is_backwards)
{
	struct arc_cut cut;
	bool ok = arc_cut_create(graph, &cut);

	for (uint32_t i = 0; ok && is_backwards && i < graph->node_count; i++)
		cut.place[i] = graph->node_count - 1 - i;
	ok = ok && improve(graph, &cut);
	if (ok && cut.weight < best->weight)
		copy_cut(graph, best, &cut);
	scratch_free(&cut.scratch);
	return ok;
}

bool cycle_graph_cut(const struct cycle_graph *graph, struct arc_cut *cut)
{
	uint64_t steps = stage_steps(graph);

	return arc_cut_insert(graph, cut, false, &steps) && improve(graph, cut) && try_row(graph, cut, false) &&
	       try_row(graph, cut, true);
}
