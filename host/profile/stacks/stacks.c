/* SPDX-License-Identifier: MIT */
/* Trees of call stacks, and stacks estimated from a call graph: the samples of each function follow it up to its roots.
 */
#include "profile/stacks/stacks.h"

#include "profile/stacks/callers.h"

#include <stdlib.h>

/* Samples are divided in at most this many grains of one or more samples, which limits the number of stacks. */
#define GRAINS_MAX 131072
#define FRAMES_MAX ((size_t)1 << 20)
#define STEPS_MAX  ((size_t)1 << 26)

#define NO_LINK SIZE_MAX

/* A frame of the stack that is being followed, from the innermost one up. */
struct frame_link {
	size_t node;
	size_t inner; /* the link below; NO_LINK: none */
	size_t depth;
};

/* Samples that have arrived at a frame. */
struct arrival {
	size_t link;
	uint64_t samples;
};

struct stack_expansion {
	struct stacks *stacks;
	size_t graph;
	struct callers callers;
	uint64_t grain;
	size_t steps_left;
	struct frame_link *links;
	size_t link_count;
	struct arrival *arrivals;
	size_t arrival_count;
};

/* --- The tree of frames. */

static size_t hash_of(size_t parent, size_t node, size_t size)
{
	uint64_t mixed = ((uint64_t)parent * 0x9E3779B97F4A7C15u) ^ ((uint64_t)node * 0xC2B2AE3D27D4EB4Fu);

	return (size_t)(mixed ^ mixed >> 29) & (size - 1);
}

/* The place of a frame in the index, or the free place where it belongs. */
static size_t *find_frame_place(const struct stacks *stacks, size_t parent, size_t node)
{
	size_t place = hash_of(parent, node, stacks->index_size);

	while (stacks->index[place] != STACKS_ROOT && (stacks->frames[stacks->index[place]].parent != parent ||
	                                               stacks->frames[stacks->index[place]].node != node))
		place = (place + 1) & (stacks->index_size - 1);
	return &stacks->index[place];
}

/* Keeps the index at most half full. */
static bool reserve_place(struct stacks *stacks)
{
	size_t size = stacks->index_size == 0 ? 1024 : stacks->index_size * 2;

	if (stacks->count * 2 < stacks->index_size)
		return true;
	size_t *index = calloc(size, sizeof *index);
	if (index == NULL)
		return false;
	free(stacks->index);
	stacks->index = index;
	stacks->index_size = size;
	for (size_t i = 1; i < stacks->count; i++)
		*find_frame_place(stacks, stacks->frames[i].parent, stacks->frames[i].node) = i;
	return true;
}

/* The frame of node within the frame of parent, added if there is none; STACKS_ROOT when out of memory. */
static size_t frame_in(struct stacks *stacks, size_t parent, size_t node)
{
	if (!reserve_place(stacks))
		return STACKS_ROOT;
	size_t *place = find_frame_place(stacks, parent, node);
	if (*place != STACKS_ROOT)
		return *place;
	const struct stacks_frame frame = {
	        .node = node,
	        .parent = parent,
	        .depth = stacks->frames[parent].depth + 1,
	        .next_sibling = stacks->frames[parent].first_child,
	};
	size_t added = stacks->count;
	if (!array_append(&stacks->frames, &stacks->count, &frame, sizeof frame))
		return STACKS_ROOT;
	stacks->frames[parent].first_child = added;
	*place = added;
	return added;
}

bool stacks_add(struct stacks *stacks, size_t graph, const size_t *nodes, size_t depth, uint64_t samples)
{
	const size_t cut[] = {stacks->node_count, nodes[depth - 1]};
	size_t frame = STACKS_ROOT;

	if (stacks->count > FRAMES_MAX && depth > 1) {
		nodes = cut;
		depth = 2;
	}
	for (size_t i = 0; i < depth; i++)
		if ((frame = frame_in(stacks, frame, nodes[i])) == STACKS_ROOT)
			return false;
	stacks->frames[frame].is_end = true;
	stacks->frames[frame].samples[graph] += samples;
	return true;
}

bool stacks_begin(struct stacks *stacks, size_t node_count)
{
	const struct stacks_frame root = {.node = 0};

	*stacks = (struct stacks){.node_count = node_count};
	return array_append(&stacks->frames, &stacks->count, &root, sizeof root);
}

/* --- The way up. */

/* Adds the stack of a link. is_cut: it has more frames above, which are unknown. */
static bool end_stack(struct stack_expansion *expansion, size_t link, uint64_t samples, bool is_cut)
{
	size_t nodes[STACKS_DEPTH_MAX + 1], depth = 0;

	if (is_cut)
		nodes[depth++] = expansion->stacks->node_count;
	for (; link != NO_LINK; link = expansion->links[link].inner)
		nodes[depth++] = expansion->links[link].node;
	return stacks_add(expansion->stacks, expansion->graph, nodes, depth, samples);
}

/* The link of a caller; NO_LINK when out of memory. */
static size_t add_caller_link(struct stack_expansion *expansion, size_t node, size_t inner)
{
	size_t added = expansion->link_count;
	const struct frame_link link = {node, inner, inner == NO_LINK ? 1 : expansion->links[inner].depth + 1};

	return array_append(&expansion->links, &expansion->link_count, &link, sizeof link) ? added : NO_LINK;
}

static bool add_arrival(struct stack_expansion *expansion, size_t link, uint64_t samples)
{
	const struct arrival arrival = {link, samples};

	return link != NO_LINK &&
	       array_append(&expansion->arrivals, &expansion->arrival_count, &arrival, sizeof arrival);
}

/* A caller can be on the stack already only if the graph's cycles are not marked, as in a comparison. */
static bool is_on_linked_stack(const struct stack_expansion *expansion, size_t link, size_t node)
{
	while (link != NO_LINK && expansion->links[link].node != node)
		link = expansion->links[link].inner;
	return link != NO_LINK;
}

/* Moves samples to one of the callers of a link's function. */
static bool go_up(struct stack_expansion *expansion, size_t link, const struct caller *caller, uint64_t samples)
{
	if (caller->node == CALLERS_NONE || is_on_linked_stack(expansion, link, caller->node))
		return end_stack(expansion, link, samples, false);
	if (caller->entry != expansion->links[link].node)
		link = add_caller_link(expansion, caller->entry, link);
	return link != NO_LINK && add_arrival(expansion, add_caller_link(expansion, caller->node, link), samples);
}

static bool follow_callers(struct stack_expansion *expansion, const struct arrival *arrival)
{
	const struct frame_link *link = &expansion->links[arrival->link];
	struct callers *callers = &expansion->callers;
	size_t count = callers_of(callers, link->node);

	if (count == 0)
		return end_stack(expansion, arrival->link, arrival->samples, false);
	if (link->depth + 2 > STACKS_DEPTH_MAX || expansion->steps_left < count)
		return end_stack(expansion, arrival->link, arrival->samples, true);
	expansion->steps_left -= count;
	size_t shares = callers_divide(callers, link->node, arrival->samples, expansion->grain);
	for (size_t i = 0; i < shares; i++)
		if (!go_up(expansion, arrival->link, callers->shares[i].caller, callers->shares[i].samples))
			return false;
	return true;
}

static bool expand_node(struct stack_expansion *expansion, size_t node, uint64_t samples)
{
	expansion->link_count = expansion->arrival_count = 0;
	bool ok = add_arrival(expansion, add_caller_link(expansion, node, NO_LINK), samples);
	while (ok && expansion->arrival_count > 0) {
		const struct arrival arrival = expansion->arrivals[--expansion->arrival_count];

		ok = follow_callers(expansion, &arrival);
	}
	return ok;
}

static uint64_t grain_of(const struct stacks_graph *graph)
{
	uint64_t whole = 0;

	for (size_t node = 0; node < graph->node_count; node++)
		whole += graph->samples[node];
	return whole / GRAINS_MAX + 1;
}

static bool expand_graph(const struct stacks_graph *graph, size_t index, struct stacks *stacks)
{
	struct stack_expansion expansion = {
	        .stacks = stacks,
	        .graph = index,
	        .grain = grain_of(graph),
	        .steps_left = STEPS_MAX,
	};
	bool ok = callers_find(&expansion.callers, graph);

	for (size_t node = 0; ok && node < graph->node_count; node++)
		if (graph->samples[node] > 0 || graph->self_times[node] > 0)
			ok = expand_node(&expansion, node, graph->samples[node]);
	callers_free(&expansion.callers);
	free(expansion.links);
	free(expansion.arrivals);
	return ok;
}

/* Sums of hostile captures may exceed 64 bits. */
static uint64_t nearest_count(double sum)
{
	return sum < 0x1p64 ? (uint64_t)(sum + 0.5) : UINT64_MAX;
}

void stacks_round(const double *times, double scale, size_t count, uint64_t *samples)
{
	double sum = 0;
	uint64_t rounded = 0;

	for (size_t i = 0; i < count; i++) {
		sum += times[i] * scale;
		samples[i] = nearest_count(sum) - rounded;
		rounded += samples[i];
	}
}

bool stacks_begin_division(struct stacks_division *division, size_t count, struct scratch *scratch)
{
	*division = (struct stacks_division){
	        .wholes = scratch_array(scratch, count, sizeof *division->wholes),
	        .samples = scratch_array(scratch, count, sizeof *division->samples),
	        .seen = scratch_array(scratch, count, sizeof *division->seen),
	        .given = scratch_array(scratch, count, sizeof *division->given),
	};
	return !scratch->is_short_of_memory;
}

uint64_t stacks_divide(struct stacks_division *division, size_t node, double part)
{
	double whole = division->wholes[node];

	division->seen[node] += part;
	double seen = whole > 0 ? division->seen[node] / whole : 0;
	uint64_t sum = nearest_count((double)division->samples[node] * (seen < 1 ? seen : 1));
	uint64_t given = sum > division->given[node] ? sum - division->given[node] : 0;
	division->given[node] += given;
	return given;
}

bool stacks_expand(const struct stacks_graph *graphs, size_t graph_count, struct stacks *stacks)
{
	bool ok = stacks_begin(stacks, graphs[0].node_count);

	for (size_t i = 0; ok && i < graph_count; i++)
		ok = expand_graph(&graphs[i], i, stacks);
	return ok;
}

void stacks_free(struct stacks *stacks)
{
	free(stacks->frames);
	free(stacks->index);
}
