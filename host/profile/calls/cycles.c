/* SPDX-License-Identifier: MIT */
/*
 * Pass: strongly connected components and topological numbers in one walk (Tarjan, "Depth-first search and linear graph
 * algorithms", 1972; with the stack of groups of Gabow, "Path-based depth-first search for strong and biconnected
 * components", 2000). The walk keeps its own stack, so that no call graph is too deep. Components are completed callees
 * first, the order that propagation needs. A component's members are chained as GNU gprof chains them: when an arc
 * leads back, the groups on the path after its target join the target's group, one after the other.
 */
#include "base/array.h"
#include "profile/analysis.h"

#include <stdlib.h>

#define NONE UINT32_MAX

/* Nodes known to be in one component: a range of the path and the nodes reached from it. Its members are chained. */
struct group {
	uint32_t head; /* the first member that the walk reached */
	uint32_t tail;
};

struct cycle_walk {
	struct profile *profile;
	uint32_t *number; /* by node: its number, in the order of first visit; 0: not visited */
	uint32_t *next;   /* by node: the next member of its group */
	uint32_t *path;   /* nodes from the root of the walk to the current one */
	size_t path_length;
	size_t *next_arc; /* by node on the path: the arc to follow next */
	struct group *groups;
	size_t group_count;
	uint32_t visited;
	size_t components;
	size_t members_taken;   /* used entries of profile->cycle_members */
	struct scratch scratch; /* the arrays of nodes and groups */
};

static bool walk_create(struct cycle_walk *walk, struct profile *profile)
{
	size_t count = profile->node_count + 1;

	*walk = (struct cycle_walk){.profile = profile};
	walk->number = scratch_array(&walk->scratch, count, sizeof *walk->number);
	walk->next = scratch_array(&walk->scratch, count, sizeof *walk->next);
	walk->path = scratch_array(&walk->scratch, count, sizeof *walk->path);
	walk->next_arc = scratch_array(&walk->scratch, count, sizeof *walk->next_arc);
	walk->groups = scratch_array(&walk->scratch, count, sizeof *walk->groups);
	free(profile->cycles);
	free(profile->cycle_members);
	profile->cycle_count = 0;
	profile->cycles = calloc(profile->node_count / 2 + 1, sizeof *profile->cycles);
	profile->cycle_members = calloc(count, sizeof(size_t));
	return !walk->scratch.is_short_of_memory && profile->cycles != NULL && profile->cycle_members != NULL;
}

static void enter_node(struct cycle_walk *walk, uint32_t node)
{
	walk->number[node] = ++walk->visited;
	walk->next[node] = NONE;
	walk->next_arc[node] = walk->profile->first_arc[node];
	walk->path[walk->path_length++] = node;
	walk->groups[walk->group_count++] = (struct group){.head = node, .tail = node};
	walk->profile->nodes[node].order = 0;
	walk->profile->nodes[node].cycle = PROFILE_NONE;
}

static void append_cycle(struct cycle_walk *walk, uint32_t head)
{
	struct profile *profile = walk->profile;
	size_t *members = profile->cycle_members + walk->members_taken;
	size_t count = 0;

	for (uint32_t member = head; member != NONE; member = walk->next[member])
		members[count++] = member;
	walk->members_taken += count;
	profile->cycles[profile->cycle_count++] = (struct profile_cycle){.members = members, .member_count = count};
}

static void complete_component(struct cycle_walk *walk, uint32_t head)
{
	walk->components++;
	for (uint32_t member = head; member != NONE; member = walk->next[member])
		walk->profile->nodes[member].order = walk->components;
	if (walk->next[head] != NONE)
		append_cycle(walk, head);
}

/* Goes back to the caller on the path. */
static void leave_node(struct cycle_walk *walk, uint32_t node)
{
	if (walk->groups[walk->group_count - 1].head == node) {
		walk->group_count--;
		complete_component(walk, node);
	}
	walk->path_length--;
}

/* An arc leads back to callee: all nodes reached after it are in its component. */
static void join_groups(struct cycle_walk *walk, uint32_t callee)
{
	while (walk->number[walk->groups[walk->group_count - 1].head] > walk->number[callee]) {
		const struct group *last = &walk->groups[--walk->group_count];
		struct group *before = &walk->groups[walk->group_count - 1];

		walk->next[before->tail] = last->head;
		before->tail = last->tail;
	}
}

static void follow_arc(struct cycle_walk *walk, const struct profile_arc *arc)
{
	if (arc->is_removed)
		return;
	if (walk->number[arc->callee] == 0)
		enter_node(walk, arc->callee);
	else if (walk->profile->nodes[arc->callee].order == 0)
		join_groups(walk, arc->callee);
}

static void walk_from(struct cycle_walk *walk, uint32_t root)
{
	enter_node(walk, root);
	while (walk->path_length > 0) {
		uint32_t node = walk->path[walk->path_length - 1];

		if (walk->next_arc[node] < walk->profile->first_arc[node + 1])
			follow_arc(walk, &walk->profile->arcs[walk->next_arc[node]++]);
		else
			leave_node(walk, node);
	}
}

static int compare_heads(const void *left, const void *right)
{
	const struct profile_cycle *a = left, *b = right;

	return (a->members[0] > b->members[0]) - (a->members[0] < b->members[0]);
}

static void number_cycles(struct profile *profile)
{
	qsort(profile->cycles, profile->cycle_count, sizeof *profile->cycles, compare_heads);
	for (size_t i = 0; i < profile->cycle_count; i++)
		for (size_t j = 0; j < profile->cycles[i].member_count; j++) {
			struct profile_node *member = &profile->nodes[profile->cycles[i].members[j]];

			member->cycle = i;
			member->place_in_cycle = (uint32_t)j;
		}
}

enum status analysis_find_cycles(struct profile *profile, struct error *error)
{
	struct cycle_walk walk;
	bool ok = walk_create(&walk, profile);

	for (size_t i = 0; ok && i < profile->node_count; i++)
		if (walk.number[i] == 0)
			walk_from(&walk, (uint32_t)i);
	scratch_free(&walk.scratch);
	if (!ok)
		return status_no_memory(error, profile->image->path);
	number_cycles(profile);
	return STATUS_OK;
}
