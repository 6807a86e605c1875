/* SPDX-License-Identifier: MIT */
/* See cycles.h. */
#include "cycles.h"

#include <string.h>

/* The call graph after filtering by the options. Arrays are set as far as they are used. */
struct graph {
	size_t node_count, arc_count;
	size_t first_arc[SYMBOLS_MAX + 1];         /* index in callees of the first arc of each caller */
	size_t caller[ARCS_MAX], callee[ARCS_MAX]; /* of each arc of the recording */
	bool is_wanted[ARCS_MAX];
	size_t callees[ARCS_MAX];
	size_t component[SYMBOLS_MAX]; /* identified by one of its members */
};

static void find_nodes(struct graph *graph, const struct recording *recording, const struct division *division,
                       const struct options *options)
{
	graph->node_count = division->count;
	graph->arc_count = recording->arc_count;
	for (size_t i = 0; i < recording->arc_count; i++) {
		graph->caller[i] = division_find(division, recording->arcs[i].from);
		graph->callee[i] = division_find(division, recording->arcs[i].self);
		graph->is_wanted[i] = !recording->arcs[i].is_dropped &&
		                      options_want_arc(options, division, graph->caller[i], graph->callee[i]);
	}
}

static void sort_by_caller(struct graph *graph)
{
	memset(graph->first_arc, 0, sizeof graph->first_arc);
	for (size_t i = 0; i < graph->arc_count; i++)
		if (graph->is_wanted[i])
			graph->first_arc[graph->caller[i] + 1]++;
	for (size_t i = 1; i <= graph->node_count; i++)
		graph->first_arc[i] += graph->first_arc[i - 1];
	size_t next[SYMBOLS_MAX];
	memcpy(next, graph->first_arc, graph->node_count * sizeof *next);
	for (size_t i = 0; i < graph->arc_count; i++)
		if (graph->is_wanted[i])
			graph->callees[next[graph->caller[i]]++] = graph->callee[i];
}

/* Tarjan's depth-first search, with its path and its stack of nodes without a component. */
struct walk {
	struct graph *graph;
	size_t number[SYMBOLS_MAX], lowest[SYMBOLS_MAX], next_arc[SYMBOLS_MAX];
	size_t path[SYMBOLS_MAX], stack[SYMBOLS_MAX];
	bool is_on_stack[SYMBOLS_MAX];
	size_t path_length, stack_length, numbered;
};

static void enter(struct walk *walk, size_t node)
{
	walk->number[node] = walk->lowest[node] = ++walk->numbered;
	walk->next_arc[node] = walk->graph->first_arc[node];
	walk->path[walk->path_length++] = node;
	walk->stack[walk->stack_length++] = node;
	walk->is_on_stack[node] = true;
}

static void lower(struct walk *walk, size_t node, size_t number)
{
	if (number < walk->lowest[node])
		walk->lowest[node] = number;
}

static void leave(struct walk *walk, size_t node)
{
	walk->path_length--;
	if (walk->path_length > 0)
		lower(walk, walk->path[walk->path_length - 1], walk->lowest[node]);
	if (walk->lowest[node] != walk->number[node])
		return;
	size_t member;
	do {
		member = walk->stack[--walk->stack_length];
		walk->is_on_stack[member] = false;
		walk->graph->component[member] = node;
	} while (member != node);
}

static void walk_from(struct walk *walk, size_t root)
{
	enter(walk, root);
	while (walk->path_length > 0) {
		size_t node = walk->path[walk->path_length - 1];

		if (walk->next_arc[node] == walk->graph->first_arc[node + 1]) {
			leave(walk, node);
			continue;
		}
		size_t callee = walk->graph->callees[walk->next_arc[node]++];
		if (walk->number[callee] == 0)
			enter(walk, callee);
		else if (walk->is_on_stack[callee])
			lower(walk, node, walk->number[callee]);
	}
}

static void find_components(struct graph *graph)
{
	static struct walk walk;

	walk = (struct walk){.graph = graph};
	for (size_t i = 0; i < graph->node_count; i++)
		if (walk.number[i] == 0)
			walk_from(&walk, i);
}

/* A cycle without counted calls from outside; node_count if there is none. */
static size_t find_uncalled(const struct graph *graph, const struct recording *recording)
{
	static bool is_cycle[SYMBOLS_MAX], is_called[SYMBOLS_MAX];

	memset(is_cycle, 0, sizeof is_cycle);
	memset(is_called, 0, sizeof is_called);
	for (size_t i = 0; i < graph->arc_count; i++) {
		size_t callee = graph->callee[i];

		if (!graph->is_wanted[i])
			continue;
		if (graph->component[graph->caller[i]] != graph->component[callee])
			is_called[graph->component[callee]] |= recording->arcs[i].count > 0;
		else
			is_cycle[graph->component[callee]] |= graph->caller[i] != callee;
	}
	size_t found = 0;
	while (found < graph->node_count && (!is_cycle[found] || is_called[found]))
		found++;
	return found;
}

/* Adds a call from outside to the member that identifies the cycle. */
static bool add_caller(struct recording *recording, const struct graph *graph, const struct division *division,
                       const struct options *options, size_t cycle, struct random *random)
{
	size_t caller = random_below(random, division->count - 1);

	if (recording->arc_count == ARCS_MAX || graph->component[caller] == cycle ||
	    !options_want_arc(options, division, caller, cycle))
		return false;
	recording->arcs[recording->arc_count++] = (struct arc){
	        .from = division->owners[caller].address,
	        .self = division->owners[cycle].address,
	        .count = 1 + random_magnitude(random, 100),
	        .file = (unsigned)random_below(random, recording->file_count),
	};
	return true;
}

static void drop_calls(struct recording *recording, const struct graph *graph, size_t cycle)
{
	for (size_t i = 0; i < graph->arc_count; i++)
		if (graph->callee[i] == cycle && graph->caller[i] != cycle &&
		    graph->component[graph->caller[i]] == cycle)
			recording->arcs[i].is_dropped = true;
}

void cycles_give_callers(struct recording *recording, const struct division *division, const struct options *options,
                         struct random *random)
{
	static struct graph graph;

	for (;;) {
		find_nodes(&graph, recording, division, options);
		sort_by_caller(&graph);
		find_components(&graph);
		size_t cycle = find_uncalled(&graph, recording);
		if (cycle == graph.node_count)
			return;
		if (random_chance(random, 20) || !add_caller(recording, &graph, division, options, cycle, random))
			drop_calls(recording, &graph, cycle);
	}
}
