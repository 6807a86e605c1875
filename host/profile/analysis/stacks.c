/* SPDX-License-Identifier: MIT */
/* Estimated call stacks: the flow of time along a call graph, expanded into a tree of frames. */
#include "profile/analysis/stacks.h"

#include "base/array.h"

#include <stdlib.h>

#define MIN_PART      1e-4 /* of all time; smaller branches are not expanded */
#define ROUNDING_PART 1e-9
#define FRAMES_MAX    ((size_t)1 << 20)

/* Time that a node passes on to a callee, or that a member adds to its cycle. */
struct part {
	size_t node;
	double time;
};

/* Parts by group, most time first: group n has parts[first[n]] to parts[first[n + 1] - 1]. */
struct part_lists {
	struct part *parts;
	size_t *first;
};

/* The flow of time through one graph. */
struct flow {
	const struct stacks_graph *graph;
	size_t index;              /* of the graph */
	double time;               /* the sum of all self times */
	double *totals;            /* by node: its self time and the time of its arcs */
	double *caller_times;      /* by node: the time of callers outside its cycle */
	struct part_lists callees; /* by node */
	struct part_lists members; /* by cycle number, with their totals */
	size_t cycle_count;        /* the highest number */
	struct scratch scratch;    /* all these arrays */
};

static int compare_parts(const void *left, const void *right)
{
	const struct part *a = left, *b = right;

	if (a->time < b->time || a->time > b->time)
		return a->time > b->time ? -1 : 1;
	return (a->node > b->node) - (a->node < b->node);
}

static size_t list_length(const struct part_lists *lists, size_t index)
{
	return lists->first[index + 1] - lists->first[index];
}

static void sort_list(const struct part_lists *lists, size_t index)
{
	qsort(lists->parts + lists->first[index], list_length(lists, index), sizeof *lists->parts, compare_parts);
}

static void add_up(struct flow *flow)
{
	const struct stacks_graph *graph = flow->graph;
	size_t arc = 0;

	for (size_t node = 0; node < graph->node_count; node++) {
		flow->time += graph->self_times[node];
		flow->totals[node] = graph->self_times[node];
		for (; arc < graph->arc_count && graph->arcs[arc].caller == node; arc++) {
			size_t callee = graph->arcs[arc].callee;

			flow->callees.parts[arc] = (struct part){callee, graph->arcs[arc].time};
			flow->totals[node] += graph->arcs[arc].time;
			flow->caller_times[callee] += graph->arcs[arc].time;
		}
		flow->callees.first[node + 1] = arc;
		sort_list(&flow->callees, node);
	}
}

/* Counting sort by cycle number. */
static void list_members(struct flow *flow)
{
	const struct stacks_graph *graph = flow->graph;
	size_t *first = flow->members.first, *next = first + 1; /* each grows into the first of the next cycle */

	for (size_t node = 0; node < graph->node_count; node++)
		first[graph->cycles[node] + 2]++;
	for (size_t i = 2; i < flow->cycle_count + 3; i++)
		first[i] += first[i - 1];
	for (size_t node = 0; node < graph->node_count; node++)
		flow->members.parts[next[graph->cycles[node]]++] = (struct part){node, flow->totals[node]};
	for (size_t cycle = 1; cycle <= flow->cycle_count; cycle++)
		sort_list(&flow->members, cycle);
}

static void allocate_lists(struct scratch *scratch, struct part_lists *lists, size_t part_count, size_t list_count)
{
	lists->parts = scratch_array(scratch, part_count, sizeof *lists->parts);
	lists->first = scratch_array(scratch, list_count, sizeof *lists->first);
}

static bool create_flow(const struct stacks_graph *graph, size_t index, struct flow *flow)
{
	*flow = (struct flow){.graph = graph, .index = index};
	for (size_t node = 0; node < graph->node_count; node++)
		if (graph->cycles[node] > flow->cycle_count)
			flow->cycle_count = graph->cycles[node];
	flow->totals = scratch_array(&flow->scratch, graph->node_count, sizeof *flow->totals);
	flow->caller_times = scratch_array(&flow->scratch, graph->node_count, sizeof *flow->caller_times);
	allocate_lists(&flow->scratch, &flow->callees, graph->arc_count, graph->node_count);
	allocate_lists(&flow->scratch, &flow->members, graph->node_count, flow->cycle_count + 2);
	if (flow->scratch.is_short_of_memory)
		return false;
	add_up(flow);
	list_members(flow);
	return true;
}

/* Time that has reached a frame and is to be passed on from there. */
struct arrival {
	size_t frame;
	double time;
	bool is_in_cycle; /* already shared among the members of its cycle */
};

struct expansion {
	struct stacks *stacks;
	const struct flow *flow;
	double min_time; /* smaller branches are not expanded */
	struct arrival *arrivals;
	size_t arrival_count;
};

static bool add_frame(struct stacks *stacks, size_t node, size_t parent, size_t depth)
{
	struct stacks_frame frame = {.node = node, .parent = parent, .depth = depth};

	if (depth > 0) {
		frame.next_sibling = stacks->frames[parent].first_child;
		stacks->frames[parent].first_child = stacks->count;
	}
	return array_append(&stacks->frames, &stacks->count, &frame, sizeof frame);
}

static bool add_outermost(struct stacks *stacks, size_t node_count)
{
	bool is_added = add_frame(stacks, 0, STACKS_ROOT, 0);

	for (size_t node = 0; is_added && node < node_count; node++)
		is_added = add_frame(stacks, node, STACKS_ROOT, 1);
	return is_added;
}

static bool is_on_stack(const struct stacks *stacks, size_t frame, size_t node)
{
	while (frame != STACKS_ROOT && stacks->frames[frame].node != node)
		frame = stacks->frames[frame].parent;
	return frame != STACKS_ROOT;
}

static bool can_go_deeper(const struct stacks *stacks, size_t frame, size_t node)
{
	return stacks->count < FRAMES_MAX && stacks->frames[frame].depth < STACKS_DEPTH_MAX &&
	       !is_on_stack(stacks, frame, node);
}

static bool arrive(struct expansion *expansion, size_t frame, double time, bool is_in_cycle)
{
	const struct arrival arrival = {frame, time, is_in_cycle};

	return array_append(&expansion->arrivals, &expansion->arrival_count, &arrival, sizeof arrival);
}

static bool arrive_at_child(struct expansion *expansion, size_t frame, size_t node, double time, bool is_in_cycle)
{
	struct stacks *stacks = expansion->stacks;
	size_t child = stacks->frames[frame].first_child;

	while (child != STACKS_ROOT && stacks->frames[child].node != node)
		child = stacks->frames[child].next_sibling;
	if (child == STACKS_ROOT) {
		child = stacks->count;
		if (!add_frame(stacks, node, frame, stacks->frames[frame].depth + 1))
			return false;
	}
	return arrive(expansion, child, time, is_in_cycle);
}

/* Passes on the time that has arrived: to each part of a list its share of the whole. The frame keeps the rest. */
static bool pass_on(struct expansion *expansion, const struct arrival *arrival, const struct part_lists *lists,
                    size_t list, double whole, bool are_members)
{
	struct stacks *stacks = expansion->stacks;
	double rest = arrival->time;

	for (size_t i = lists->first[list]; i < lists->first[list + 1] && whole > 0; i++) {
		const struct part *part = &lists->parts[i];
		double time = arrival->time * part->time / whole;

		if (time < expansion->min_time)
			break;
		if (!can_go_deeper(stacks, arrival->frame, part->node))
			continue;
		if (!arrive_at_child(expansion, arrival->frame, part->node, time, are_members))
			return false;
		rest -= time;
	}
	stacks->frames[arrival->frame].times[expansion->flow->index] += rest > 0 ? rest : 0;
	return true;
}

static bool pass_on_to_callees(struct expansion *expansion, const struct arrival *arrival)
{
	const struct flow *flow = expansion->flow;
	size_t node = expansion->stacks->frames[arrival->frame].node;

	return pass_on(expansion, arrival, &flow->callees, node, flow->totals[node], false);
}

static double sum_of_list(const struct part_lists *lists, size_t list)
{
	double sum = 0;

	for (size_t i = lists->first[list]; i < lists->first[list + 1]; i++)
		sum += lists->parts[i].time;
	return sum;
}

/* The member that was called keeps its own share, and that of members too small to be expanded. */
static bool share_in_cycle(struct expansion *expansion, const struct arrival *arrival, size_t cycle)
{
	const struct flow *flow = expansion->flow;
	size_t node = expansion->stacks->frames[arrival->frame].node;
	double whole = sum_of_list(&flow->members, cycle);
	double own = whole > 0 ? arrival->time * flow->totals[node] / whole : arrival->time;
	const struct arrival rest = {arrival->frame, arrival->time - own, true};

	/* The called member is on the stack already, so none of this goes to it. */
	return pass_on(expansion, &rest, &flow->members, cycle, whole - flow->totals[node], true) &&
	       arrive(expansion, arrival->frame, own, true);
}

static bool follow(struct expansion *expansion)
{
	while (expansion->arrival_count > 0) {
		const struct arrival arrival = expansion->arrivals[--expansion->arrival_count];
		size_t node = expansion->stacks->frames[arrival.frame].node;
		size_t cycle = arrival.is_in_cycle ? 0 : expansion->flow->graph->cycles[node];

		if (cycle != 0 ? !share_in_cycle(expansion, &arrival, cycle) : !pass_on_to_callees(expansion, &arrival))
			return false;
	}
	return true;
}

/* Time that no caller accounts for begins a stack, unless it is a rounding error. */
static bool begin_stack(struct expansion *expansion, size_t node, double total, double caller_time)
{
	double left = total - caller_time;

	return left <= ROUNDING_PART * expansion->flow->time || arrive(expansion, node + 1, left, false);
}

/* A cycle begins at its largest member, even if another was called first. */
static bool begin_cycle(struct expansion *expansion, size_t cycle)
{
	const struct flow *flow = expansion->flow;
	const struct part *members = flow->members.parts + flow->members.first[cycle];
	size_t count = list_length(&flow->members, cycle);
	double caller_time = 0;

	for (size_t i = 0; i < count; i++)
		caller_time += flow->caller_times[members[i].node];
	return count == 0 || begin_stack(expansion, members[0].node, sum_of_list(&flow->members, cycle), caller_time);
}

static bool expand_graph(struct stacks *stacks, const struct flow *flow)
{
	struct expansion expansion = {.stacks = stacks, .flow = flow, .min_time = MIN_PART * flow->time};
	bool is_done = true;

	for (size_t node = 0; is_done && node < flow->graph->node_count; node++)
		if (flow->graph->cycles[node] == 0)
			is_done = begin_stack(&expansion, node, flow->totals[node], flow->caller_times[node]);
	for (size_t cycle = 1; is_done && cycle <= flow->cycle_count; cycle++)
		is_done = begin_cycle(&expansion, cycle);
	is_done = is_done && follow(&expansion);
	free(expansion.arrivals);
	return is_done;
}

bool stacks_expand(const struct stacks_graph *graphs, size_t graph_count, struct stacks *stacks)
{
	*stacks = (struct stacks){.count = 0};
	bool is_done = add_outermost(stacks, graphs[0].node_count);
	for (size_t i = 0; is_done && i < graph_count; i++) {
		struct flow flow;

		is_done = create_flow(&graphs[i], i, &flow) && expand_graph(stacks, &flow);
		stacks->times[i] = flow.time;
		scratch_free(&flow.scratch);
	}
	return is_done;
}

void stacks_free(struct stacks *stacks)
{
	free(stacks->frames);
}
