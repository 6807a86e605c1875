/* SPDX-License-Identifier: MIT */
/*
 * Pass: strongly connected components and topological numbers in one walk (Tarjan, "Depth-first search and linear graph
 * algorithms", 1972). The walk keeps its own stack, so that no call graph is too deep. Components are completed callees
 * first, which is the order that propagation needs.
 */
#include "analysis/analysis.h"

#include <stdlib.h>

struct walk {
	struct profile *profile;
	size_t *number;   /* of each node, in the order of first visit; 0 = not visited */
	size_t *lowest;   /* lowest number that the node's subtree reaches within the open components */
	size_t *next_arc; /* of each node on the path: the arc to follow next */
	size_t *path;     /* nodes from the root of the walk to the one at hand */
	size_t path_length;
	size_t *open; /* nodes visited whose component is not complete */
	size_t open_count;
	bool *is_open;
	size_t visited;
	size_t components;
};

static bool walk_create(struct walk *walk, struct profile *profile)
{
	size_t count = profile->node_count + 1;
	*walk = (struct walk){
	        .profile = profile,
	        .number = calloc(count, sizeof(size_t)),
	        .lowest = calloc(count, sizeof(size_t)),
	        .next_arc = calloc(count, sizeof(size_t)),
	        .path = calloc(count, sizeof(size_t)),
	        .open = calloc(count, sizeof(size_t)),
	        .is_open = calloc(count, sizeof(bool)),
	};
	profile->cycles = calloc(profile->node_count / 2 + 1, sizeof *profile->cycles);
	profile->cycle_members = calloc(count, sizeof(size_t));
	return walk->number != NULL && walk->lowest != NULL && walk->next_arc != NULL && walk->path != NULL &&
	       walk->open != NULL && walk->is_open != NULL && profile->cycles != NULL && profile->cycle_members != NULL;
}

static void walk_free(struct walk *walk)
{
	free(walk->number);
	free(walk->lowest);
	free(walk->next_arc);
	free(walk->path);
	free(walk->open);
	free(walk->is_open);
}

static void enter(struct walk *walk, size_t node)
{
	walk->number[node] = walk->lowest[node] = ++walk->visited;
	walk->next_arc[node] = walk->profile->first_arc[node];
	walk->path[walk->path_length++] = node;
	walk->open[walk->open_count++] = node;
	walk->is_open[node] = true;
}

static int compare_indices(const void *left, const void *right)
{
	const size_t *a = left, *b = right;
	return (*a > *b) - (*a < *b);
}

static void make_cycle(struct walk *walk, const size_t *members, size_t count)
{
	struct profile *profile = walk->profile;
	size_t taken = 0;
	if (profile->cycle_count > 0) {
		const struct profile_cycle *last = &profile->cycles[profile->cycle_count - 1];
		taken = (size_t)(last->members - profile->cycle_members) + last->member_count;
	}
	for (size_t i = 0; i < count; i++) {
		profile->cycle_members[taken + i] = members[i];
		profile->nodes[members[i]].cycle = profile->cycle_count;
	}
	qsort(profile->cycle_members + taken, count, sizeof(size_t), compare_indices);
	profile->cycles[profile->cycle_count++] = (struct profile_cycle){
	        .members = profile->cycle_members + taken,
	        .member_count = count,
	};
}

/* All open nodes from root on form a component. */
static void complete_component(struct walk *walk, size_t root)
{
	size_t first = walk->open_count;
	size_t node;
	walk->components++;
	do {
		node = walk->open[--first];
		walk->is_open[node] = false;
		walk->profile->nodes[node].order = walk->components;
	} while (node != root);
	if (walk->open_count - first > 1)
		make_cycle(walk, walk->open + first, walk->open_count - first);
	walk->open_count = first;
}

static void lower(size_t *lowest, size_t number)
{
	if (number < *lowest)
		*lowest = number;
}

/* Goes back to the caller on the path. */
static void leave(struct walk *walk, size_t node)
{
	if (walk->lowest[node] == walk->number[node])
		complete_component(walk, node);
	walk->path_length--;
	if (walk->path_length > 0)
		lower(&walk->lowest[walk->path[walk->path_length - 1]], walk->lowest[node]);
}

static void follow_next_arc(struct walk *walk, size_t node)
{
	size_t callee = walk->profile->arcs[walk->next_arc[node]++].callee;
	if (walk->number[callee] == 0)
		enter(walk, callee);
	else if (walk->is_open[callee])
		lower(&walk->lowest[node], walk->number[callee]);
}

static void walk_from(struct walk *walk, size_t root)
{
	enter(walk, root);
	while (walk->path_length > 0) {
		size_t node = walk->path[walk->path_length - 1];
		if (walk->next_arc[node] < walk->profile->first_arc[node + 1])
			follow_next_arc(walk, node);
		else
			leave(walk, node);
	}
}

enum status analysis_find_cycles(struct profile *profile, struct error *error)
{
	struct walk walk;
	bool enough = walk_create(&walk, profile);
	for (size_t i = 0; enough && i < profile->node_count; i++)
		if (walk.number[i] == 0)
			walk_from(&walk, i);
	walk_free(&walk);
	if (!enough)
		return status_fail(error, "%s: out of memory for the call graph", profile->image->path);
	return STATUS_OK;
}
