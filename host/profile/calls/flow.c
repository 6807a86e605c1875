/* SPDX-License-Identifier: MIT */
/* See flow.h. */
#include "profile/calls/flow.h"

#include "base/array.h"

#include <stdlib.h>

/* The share of an arc into a solved cycle: its calls times their cost. */
static double share_of_entry(const struct profile *profile, const struct profile_arc *arc)
{
	const struct profile_node *callee = &profile->nodes[arc->callee];

	return (double)arc->count * callee->entry_cost / profile->cycles[callee->cycle].entry_time;
}

double flow_share_of_all(const struct profile *profile, const struct profile_arc *arc)
{
	size_t cycle = profile->nodes[arc->callee].cycle;
	uint64_t calls = profile_sharing_calls(profile, arc->callee);

	if (calls == 0 || !profile_arc_is_timed(profile, arc))
		return 0;
	if (cycle != PROFILE_NONE && profile->cycles[cycle].entry_time > 0)
		return share_of_entry(profile, arc);
	return (double)arc->count / (double)calls;
}

double flow_share(const struct profile *profile, const struct profile_arc *arc)
{
	if (profile->nodes[arc->callee].wanted.fraction == 0 || profile->nodes[arc->caller].wanted.fraction == 0)
		return 0;
	return flow_share_of_all(profile, arc);
}

/* A counting sort: the numbers are dense. */
size_t *flow_order(const struct profile *profile)
{
	size_t count = profile->node_count;
	size_t *starts = calloc(count + 2, sizeof *starts);
	size_t *ordered = calloc(count + 1, sizeof *ordered);

	if (starts == NULL || ordered == NULL) {
		free(starts);
		free(ordered);
		return NULL;
	}
	for (size_t i = 0; i < count; i++)
		starts[profile->nodes[i].order + 1]++;
	for (size_t i = 1; i < count + 2; i++)
		starts[i] += starts[i - 1];
	for (size_t i = 0; i < count; i++)
		ordered[starts[profile->nodes[i].order]++] = i;
	free(starts);
	return ordered;
}

bool flow_is_last_member(const struct profile *profile, const size_t *ordered, size_t place)
{
	size_t cycle = profile->nodes[ordered[place]].cycle;

	return cycle != PROFILE_NONE &&
	       (place + 1 == profile->node_count || profile->nodes[ordered[place + 1]].cycle != cycle);
}

bool flow_add(struct flow_list *list, size_t from, size_t into, double share)
{
	const struct flow flow = {(uint32_t)from, (uint32_t)into, share};

	return array_append(&list->flows, &list->count, &flow, sizeof flow);
}
