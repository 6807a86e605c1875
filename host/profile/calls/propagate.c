/* SPDX-License-Identifier: MIT */
/*
 * Pass: gives each caller its share of the time of its callees, T_r = S_r + sum of T_e * C_e^r / C_e, callees first. A
 * cycle is one node: its members' times and outside calls are summed, and arcs inside it and self calls carry no time;
 * its entering calls share its time by their costs (solve_cycles.h). A first walk, callers first, finds the part of
 * each function that filters leave. Sums are made in the order of GNU gprof's, so that they are identical to the last
 * bit.
 */
#include "capture/count.h"
#include "profile/analysis.h"
#include "profile/calls/flow.h"
#include "profile/calls/solve_cycles.h"

#include <stdlib.h>

static bool is_within_cycle(const struct profile *profile, const struct profile_arc *arc)
{
	size_t cycle = profile->nodes[arc->caller].cycle;

	return cycle != PROFILE_NONE && cycle == profile->nodes[arc->callee].cycle;
}

static void count_entering_calls(struct profile_cycle *cycle, const struct profile_arc *arc)
{
	if (arc->count > 0 && cycle->calls == 0)
		cycle->first_caller = arc->caller;
	else if (arc->count > 0 && arc->caller != cycle->first_caller)
		cycle->has_several_callers = true;
	count_add(&cycle->calls, arc->count);
}

static void count_cycle_calls(struct profile *profile)
{
	for (size_t i = 0; i < profile->arc_count; i++) {
		const struct profile_arc *arc = &profile->arcs[i];
		size_t cycle = profile->nodes[arc->callee].cycle;

		if (cycle == PROFILE_NONE || arc->caller == arc->callee || arc->is_removed)
			continue;
		if (is_within_cycle(profile, arc))
			count_add(&profile->cycles[cycle].internal_calls, arc->count);
		else
			count_entering_calls(&profile->cycles[cycle], arc);
	}
}

/* --- The parts of functions that filters leave, callers first. */

/* Adds what the callers of one node, from outside its cycle, pass on. */
static void inherit_from_callers(const struct profile *profile, size_t node, struct profile_wanted *wanted)
{
	for (size_t i = profile->first_parent[node]; i < profile->first_parent[node + 1]; i++) {
		const struct profile_arc *arc = &profile->arcs[profile->parent_arcs[i]];

		if (!profile_arc_is_timed(profile, arc))
			continue;
		const struct profile_wanted *caller = &profile->nodes[arc->caller].wanted;
		wanted->is_shown |= caller->is_shown;
		wanted->fraction += caller->fraction * flow_share_of_all(profile, arc);
	}
}

/* A node is shown if one of its callers is, or if a filter names it; the same applies to its time. */
static void decide_wanted(const struct profile *profile, struct profile_node *node)
{
	struct profile_wanted *wanted = &node->wanted;
	bool has_graph = filter_wants(node->marks, profile->all_marks, FILTER_GRAPH);
	bool has_time = filter_wants(node->marks, profile->all_marks, FILTER_TIME);
	bool is_included = (node->marks.included & 1u << FILTER_GRAPH) != 0;
	bool is_time_included = (node->marks.included & 1u << FILTER_TIME) != 0;

	if (!wanted->is_shown)
		wanted->is_shown = has_graph;
	else if (!is_included && (node->marks.excluded & 1u << FILTER_GRAPH) != 0)
		wanted->is_shown = false;
	if (wanted->fraction == 0)
		wanted->fraction = has_time ? 1 : 0;
	else if (!is_time_included && (node->marks.excluded & 1u << FILTER_TIME) != 0)
		wanted->fraction = 0;
	wanted->self_time = node->self_time * wanted->fraction;
}

/* A cycle without calls from outside has no callers to inherit from, so it gets the values of its members. */
static void complete_uncalled_cycle(const struct profile *profile, struct profile_cycle *cycle)
{
	for (size_t i = 0; i < cycle->member_count; i++) {
		const struct profile_wanted *member = &profile->nodes[cycle->members[i]].wanted;

		cycle->wanted.is_shown |= member->is_shown;
		if (member->fraction > cycle->wanted.fraction)
			cycle->wanted.fraction = member->fraction;
	}
}

/* Adds up the time that the members of a cycle inherit. */
static void inherit_cycle(const struct profile *profile, struct profile_cycle *cycle)
{
	for (size_t i = 0; i < cycle->member_count; i++)
		inherit_from_callers(profile, cycle->members[i], &cycle->wanted);
	for (size_t i = 0; i < cycle->member_count; i++)
		profile->nodes[cycle->members[i]].wanted = cycle->wanted;
}

static void choose_wanted(struct profile *profile, const size_t *ordered)
{
	size_t last_cycle = PROFILE_NONE;

	for (size_t i = profile->node_count; i-- > 0;) {
		struct profile_node *node = &profile->nodes[ordered[i]];

		if (node->cycle == PROFILE_NONE)
			inherit_from_callers(profile, ordered[i], &node->wanted);
		else if (node->cycle != last_cycle)
			inherit_cycle(profile, &profile->cycles[node->cycle]);
		last_cycle = node->cycle;
		decide_wanted(profile, node);
		profile->wanted_time += node->wanted.self_time;
	}
	for (size_t i = 0; i < profile->cycle_count; i++)
		if (profile->cycles[i].calls == 0)
			complete_uncalled_cycle(profile, &profile->cycles[i]);
}

/* --- Time, callees first. */

/* Members whose time is not wanted add none to the cycle's time. */
static void sum_cycle(const struct profile *profile, struct profile_cycle *cycle)
{
	for (size_t i = 0; i < cycle->member_count; i++) {
		const struct profile_node *member = &profile->nodes[cycle->members[i]];

		if (member->wanted.fraction != 0)
			cycle->self_time += member->self_time;
	}
	cycle->wanted.self_time = cycle->wanted.fraction * cycle->self_time;
}

/* The callee as propagation sees it: the function, or the cycle it is part of. */
struct callee_times {
	double self_time, child_time;
};

static struct callee_times callee_unit(const struct profile *profile, size_t callee)
{
	const struct profile_node *node = &profile->nodes[callee];

	if (node->cycle == PROFILE_NONE)
		return (struct callee_times){node->self_time, node->child_time};
	const struct profile_cycle *cycle = &profile->cycles[node->cycle];
	return (struct callee_times){cycle->self_time, cycle->child_time};
}

static void credit_caller(struct profile *profile, struct profile_arc *arc)
{
	struct profile_node *caller = &profile->nodes[arc->caller];
	double share = flow_share(profile, arc);

	if (share == 0)
		return;
	struct callee_times callee = callee_unit(profile, arc->callee);
	arc->self_time = callee.self_time * share;
	arc->child_time = callee.child_time * share;
	double time = arc->self_time + arc->child_time;
	double wanted = caller->wanted.fraction * time;
	caller->child_time += time;
	caller->wanted.child_time += wanted;
	arc->self_time *= caller->wanted.fraction;
	arc->child_time *= caller->wanted.fraction;
	if (caller->cycle == PROFILE_NONE)
		return;
	profile->cycles[caller->cycle].child_time += time;
	profile->cycles[caller->cycle].wanted.child_time += wanted;
}

static void propagate_times(struct profile *profile, const size_t *ordered)
{
	for (size_t i = 0; i < profile->node_count; i++) {
		size_t caller = ordered[i];

		for (size_t j = profile->first_arc[caller]; j < profile->first_arc[caller + 1]; j++)
			credit_caller(profile, &profile->arcs[j]);
	}
}

enum status analysis_propagate(struct profile *profile, struct error *error)
{
	size_t *ordered = flow_order(profile);

	if (ordered == NULL)
		return status_no_memory(error, profile->image->path);
	count_cycle_calls(profile);
	bool ok = cycles_solve(profile, ordered, false);
	choose_wanted(profile, ordered);
	if (ok && profile->filters != NULL)
		ok = cycles_solve(profile, ordered, true);
	for (size_t i = 0; i < profile->cycle_count; i++)
		sum_cycle(profile, &profile->cycles[i]);
	propagate_times(profile, ordered);
	free(ordered);
	return ok ? STATUS_OK : status_no_memory(error, profile->image->path);
}
