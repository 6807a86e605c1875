/* SPDX-License-Identifier: MIT */
/*
 * Pass: gives each caller its share of the time of its callees, T_r = S_r + sum of T_e * C_e^r / C_e, callees first. A
 * cycle is one node: its members' times and outside calls are summed, arcs inside it and arcs to oneself carry no time.
 */
#include "analysis/analysis.h"

#include <stdlib.h>

static bool is_within_cycle(const struct profile *profile, const struct profile_arc *arc)
{
	size_t cycle = profile->nodes[arc->caller].cycle;
	return cycle != PROFILE_NONE && cycle == profile->nodes[arc->callee].cycle;
}

static void sum_cycles(struct profile *profile)
{
	for (size_t i = 0; i < profile->node_count; i++)
		if (profile->nodes[i].cycle != PROFILE_NONE)
			profile->cycles[profile->nodes[i].cycle].self_time += profile->nodes[i].self_time;
	for (size_t i = 0; i < profile->arc_count; i++) {
		const struct profile_arc *arc = &profile->arcs[i];
		size_t cycle = profile->nodes[arc->callee].cycle;
		if (cycle == PROFILE_NONE)
			continue;
		uint64_t *calls = is_within_cycle(profile, arc) ? &profile->cycles[cycle].internal_calls
		                                                : &profile->cycles[cycle].calls;
		*calls = profile_add_calls(*calls, arc->count);
	}
}

/* The callee as propagation sees it: the function, or the cycle it is part of. */
struct unit {
	double self_time, child_time;
	uint64_t calls;
};

static struct unit callee_unit(const struct profile *profile, size_t callee)
{
	const struct profile_node *node = &profile->nodes[callee];
	if (node->cycle == PROFILE_NONE)
		return (struct unit){node->self_time, node->child_time, node->calls};
	const struct profile_cycle *cycle = &profile->cycles[node->cycle];
	return (struct unit){cycle->self_time, cycle->child_time, cycle->calls};
}

static void credit_caller(struct profile *profile, struct profile_arc *arc)
{
	if (arc->caller == arc->callee || is_within_cycle(profile, arc))
		return;
	struct unit callee = callee_unit(profile, arc->callee);
	if (arc->count == 0 || callee.calls == 0)
		return;
	double share = (double)arc->count / (double)callee.calls;
	arc->self_time = callee.self_time * share;
	arc->child_time = callee.child_time * share;
	struct profile_node *caller = &profile->nodes[arc->caller];
	caller->child_time += arc->self_time + arc->child_time;
	if (caller->cycle != PROFILE_NONE)
		profile->cycles[caller->cycle].child_time += arc->self_time + arc->child_time;
}

/* Node indices by topological number, callees first (a counting sort: the numbers are dense). */
static size_t *topological_order(const struct profile *profile)
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

enum status analysis_propagate(struct profile *profile, struct error *error)
{
	size_t *ordered = topological_order(profile);
	if (ordered == NULL)
		return status_fail(error, "%s: out of memory for %zu functions", profile->image->path,
		                   profile->node_count);
	sum_cycles(profile);
	for (size_t i = 0; i < profile->node_count; i++) {
		size_t caller = ordered[i];
		for (size_t j = profile->first_arc[caller]; j < profile->first_arc[caller + 1]; j++)
			credit_caller(profile, &profile->arcs[j]);
	}
	free(ordered);
	return STATUS_OK;
}
