/* SPDX-License-Identifier: MIT */
/*
 * Insertion of arcs, see arc_cut_insert(). Components are kept in topological order, which changes only between the
 * ends of an arc that leads back (as in Marchetti-Spaccamela, Nanni, Rohnert: "Maintaining a topological order under
 * edge insertions", 1996): nodes that the arc's head reaches there move after its tail, or become one component with
 * it.
 */
#include "profile/analysis/cycle_graph.h"

#define NONE UINT32_MAX

enum mark { UNREACHED, REACHED, IN_CYCLE };

struct node {
	uint32_t component; /* and holds the members below */
	uint32_t next;      /* member; NONE after the last */
	uint32_t last;      /* member */
	uint32_t size, place;
	enum mark mark; /* by the current search */
};

/* A component on the path of the search, and the arc to follow next. */
struct frame {
	uint32_t component, node, arc;
};

struct insertion {
	const struct cycle_graph *graph;
	struct arc_cut *cut; /* is_removed: not inserted, or not yet */
	struct node *nodes;
	uint32_t *row;     /* the component at each place; NONE: free */
	uint32_t *moved;   /* components that reorder() puts at the end */
	uint32_t *reached; /* components that have a mark */
	uint32_t reached_count;
	struct frame *path;
	uint32_t path_length;
	uint64_t *steps_left;
	struct scratch scratch; /* the arrays */
};

static bool allocate(struct insertion *insertion, size_t nodes)
{
	struct scratch *scratch = &insertion->scratch;

	insertion->nodes = scratch_array(scratch, nodes, sizeof *insertion->nodes);
	insertion->row = scratch_array(scratch, nodes, sizeof *insertion->row);
	insertion->moved = scratch_array(scratch, nodes, sizeof *insertion->moved);
	insertion->reached = scratch_array(scratch, nodes, sizeof *insertion->reached);
	insertion->path = scratch_array(scratch, nodes, sizeof *insertion->path);
	return !scratch->is_short_of_memory;
}

static void put(struct insertion *insertion, uint32_t component, uint32_t place)
{
	insertion->nodes[component].place = place;
	insertion->row[place] = component;
}

/* Every node is a component of its own; those of a group are neighbours in the row. */
static void separate_nodes(struct insertion *insertion)
{
	const struct arc_cut *cut = insertion->cut;
	uint32_t count = insertion->graph->node_count;
	uint32_t *starts = insertion->moved;

	for (uint32_t i = 0; i < count; i++)
		starts[cut->place[cut->group[i]] + 1]++;
	for (uint32_t i = 0; i < count; i++)
		starts[i + 1] += starts[i];
	for (uint32_t i = 0; i < count; i++) {
		insertion->nodes[i] = (struct node){.component = i, .next = NONE, .last = i, .size = 1};
		put(insertion, i, starts[cut->place[cut->group[i]]]++);
	}
}

static void enter(struct insertion *insertion, uint32_t component)
{
	insertion->nodes[component].mark = REACHED;
	insertion->reached[insertion->reached_count++] = component;
	insertion->path[insertion->path_length++] = (struct frame){
	        .component = component,
	        .node = component,
	        .arc = insertion->graph->first_out[component],
	};
}

/* The next component that an arc from a frame's component leads to; NONE after the last. */
static uint32_t follow_next(struct insertion *insertion, struct frame *frame)
{
	const struct cycle_graph *graph = insertion->graph;

	while (true) {
		while (frame->arc < graph->first_out[frame->node + 1]) {
			uint32_t arc = frame->arc++;
			uint32_t component = insertion->nodes[graph->arcs[arc].to].component;

			spend_steps(insertion->steps_left, 1);
			if (!insertion->cut->is_removed[arc] && component != frame->component)
				return component;
		}
		spend_steps(insertion->steps_left, 1);
		if (insertion->nodes[frame->node].next == NONE)
			return NONE;
		frame->node = insertion->nodes[frame->node].next;
		frame->arc = graph->first_out[frame->node];
	}
}

/* The target can be reached from the whole path; returns how many members of the cycle are new. */
static size_t mark_path(struct insertion *insertion)
{
	size_t members = 0;

	for (uint32_t i = insertion->path_length;
	     i-- > 0 && insertion->nodes[insertion->path[i].component].mark == REACHED;) {
		insertion->nodes[insertion->path[i].component].mark = IN_CYCLE;
		members += insertion->nodes[insertion->path[i].component].size;
	}
	return members;
}

/*
 * Finds the components that can be reached from start, up to the place of target, and those of them that lead back to
 * target. Returns how many members the component of target would have with an arc from target to start. Ends early if
 * that is above the limit.
 */
static size_t search(struct insertion *insertion, uint32_t start, uint32_t target)
{
	size_t limit = insertion->graph->limit, members = insertion->nodes[target].size;

	insertion->reached_count = insertion->path_length = 0;
	insertion->nodes[target].mark = IN_CYCLE;
	enter(insertion, start);
	while (insertion->path_length > 0 && members <= limit) {
		uint32_t next = follow_next(insertion, &insertion->path[insertion->path_length - 1]);

		if (*insertion->steps_left == 0)
			members = limit + 1;
		else if (next == NONE)
			insertion->path_length--;
		else if (insertion->nodes[next].mark == IN_CYCLE)
			members += mark_path(insertion);
		else if (insertion->nodes[next].mark == UNREACHED &&
		         insertion->nodes[next].place < insertion->nodes[target].place)
			enter(insertion, next);
	}
	return members;
}

static void join(struct insertion *insertion, uint32_t target, uint32_t component)
{
	for (uint32_t node = component; node != NONE; node = insertion->nodes[node].next)
		insertion->nodes[node].component = target;
	insertion->nodes[insertion->nodes[target].last].next = component;
	insertion->nodes[target].last = insertion->nodes[component].last;
	insertion->nodes[target].size += insertion->nodes[component].size;
	spend_steps(insertion->steps_left, insertion->nodes[component].size);
}

/* Orders the places from first to last: components that were not reached, target with its cycle, reached components. */
static void reorder(struct insertion *insertion, uint32_t first, uint32_t last)
{
	uint32_t target = insertion->row[last], next = first, moved = 0;

	for (uint32_t i = first; i < last; i++) {
		uint32_t component = insertion->row[i];

		if (component == NONE)
			continue;
		if (insertion->nodes[component].mark == UNREACHED)
			put(insertion, component, next++);
		else if (insertion->nodes[component].mark == REACHED)
			insertion->moved[moved++] = component;
		else
			join(insertion, target, component);
	}
	put(insertion, target, next++);
	for (uint32_t i = 0; i < moved; i++)
		put(insertion, insertion->moved[i], next++);
	while (next <= last)
		insertion->row[next++] = NONE;
}

/* True if the arc may stay. */
static bool insert(struct insertion *insertion, const struct cycle_arc *arc)
{
	uint32_t from = insertion->nodes[arc->from].component, to = insertion->nodes[arc->to].component;
	uint32_t first = insertion->nodes[to].place, last = insertion->nodes[from].place;

	if (from == to || last < first)
		return true;
	if (*insertion->steps_left == 0)
		return false;
	bool fits = search(insertion, to, from) <= insertion->graph->limit;
	if (fits) {
		reorder(insertion, first, last);
		spend_steps(insertion->steps_left, last - first);
	}
	for (uint32_t i = 0; i < insertion->reached_count; i++)
		insertion->nodes[insertion->reached[i]].mark = UNREACHED;
	insertion->nodes[from].mark = UNREACHED;
	return fits;
}

/* Inserts removed arcs: if within_groups, only those whose ends are in the same group of the cut. */
static void insert_removed(struct insertion *insertion, bool within_groups)
{
	const struct cycle_graph *graph = insertion->graph;
	struct arc_cut *cut = insertion->cut;

	for (uint32_t i = 0; i < graph->arc_count; i++) {
		uint32_t arc = graph->heaviest[i];
		const struct cycle_arc *ends = &graph->arcs[arc];

		if (cut->is_removed[arc] && (!within_groups || cut->group[ends->from] == cut->group[ends->to]))
			cut->is_removed[arc] = !insert(insertion, ends);
	}
}

/* Components become groups. */
static void give_result(const struct insertion *insertion)
{
	const struct cycle_graph *graph = insertion->graph;
	struct arc_cut *cut = insertion->cut;

	for (uint32_t i = 0; i < graph->node_count; i++) {
		cut->group[i] = insertion->nodes[i].component;
		cut->place[i] = insertion->nodes[i].place;
	}
	cut->weight = 0;
	for (uint32_t i = 0; i < graph->arc_count; i++)
		cut->weight += cut->is_removed[i] ? graph->arcs[i].weight : 0;
}

bool arc_cut_insert(const struct cycle_graph *graph, struct arc_cut *cut, bool kept_first, uint64_t *steps_left)
{
	struct insertion insertion = {.graph = graph, .cut = cut, .steps_left = steps_left};
	bool ok = allocate(&insertion, graph->node_count);

	if (ok) {
		separate_nodes(&insertion);
		for (uint32_t i = 0; i < graph->arc_count; i++) {
			uint32_t from = cut->group[graph->arcs[i].from], to = cut->group[graph->arcs[i].to];

			cut->is_removed[i] = !kept_first || cut->place[from] >= cut->place[to];
		}
		if (kept_first)
			insert_removed(&insertion, true);
		insert_removed(&insertion, false);
		give_result(&insertion);
	}
	scratch_free(&insertion.scratch);
	return ok;
}
