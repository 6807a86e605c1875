/* SPDX-License-Identifier: MIT */
/* See solve_cycles.h. Total times are found on the way, callees first, because the costs of a cycle's entries depend on
 * the costs of the cycles that it calls. */
#include "profile/calls/solve_cycles.h"

#include "base/array.h"
#include "profile/calls/cycle_flows.h"

#include <math.h>
#include <string.h>

struct solver {
	struct profile *profile;
	bool of_wanted;
	double *totals;       /* by node: its own time and what it inherits from outside its cycle */
	double *cycle_totals; /* by cycle: the totals of its members, added up */
};

static double flow_share_of_arc(const struct solver *solver, const struct profile_arc *arc)
{
	return solver->of_wanted ? flow_share(solver->profile, arc) : flow_share_of_all(solver->profile, arc);
}

static void find_total_time(struct solver *solver, size_t node)
{
	const struct profile *profile = solver->profile;
	size_t own_cycle = profile->nodes[node].cycle;
	double total = 0;

	if (!solver->of_wanted || profile->nodes[node].wanted.fraction != 0)
		total = profile->nodes[node].self_time;
	for (size_t i = profile->first_arc[node]; i < profile->first_arc[node + 1]; i++) {
		const struct profile_arc *arc = &profile->arcs[i];
		size_t cycle = profile->nodes[arc->callee].cycle;
		double time = cycle == PROFILE_NONE ? solver->totals[arc->callee] : solver->cycle_totals[cycle];

		total += flow_share_of_arc(solver, arc) * time;
	}
	solver->totals[node] = total;
	if (own_cycle != PROFILE_NONE)
		solver->cycle_totals[own_cycle] += total;
}

static double sum_of_entries(const struct profile *profile, const struct profile_cycle *cycle)
{
	double time = 0;

	for (size_t i = 0; i < cycle->member_count; i++) {
		size_t member = cycle->members[i];

		for (size_t j = profile->first_parent[member]; j < profile->first_parent[member + 1]; j++) {
			const struct profile_arc *arc = &profile->arcs[profile->parent_arcs[j]];

			if (profile_arc_is_timed(profile, arc))
				time += (double)arc->count * profile->nodes[member].entry_cost;
		}
	}
	return time;
}

/* times: by place of the cycle. */
static void carry_flows(const struct flow_list *list, double *times)
{
	for (size_t i = 0; i < list->count; i++)
		times[list->flows[i].into] += list->flows[i].share * times[list->flows[i].from];
}

/* times: by place of the cycle, all 0. */
static bool find_cycle_times(struct solver *solver, size_t index, double *times)
{
	struct profile_cycle *cycle = &solver->profile->cycles[index];
	struct flow_list list = {.count = 0};
	bool is_solved = false;
	bool ok = cycle_flows_find(solver->profile, index, 0, &list, &is_solved);

	for (size_t i = 0; i < cycle->member_count; i++)
		times[i] = solver->totals[cycle->members[i]];
	if (ok)
		carry_flows(&list, times);
	cycle->is_too_large = !is_solved;
	free(list.flows);
	return ok;
}

/* False if calls leave the cycle so rarely that the cost of a call is infinite. */
static bool are_finite(const double *times, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (!isfinite(times[i]))
			return false;
	return true;
}

static bool solve_cycle(struct solver *solver, size_t index)
{
	struct profile *profile = solver->profile;
	struct profile_cycle *cycle = &profile->cycles[index];
	size_t count = cycle->member_count, places = cycle_place_count(count);
	double *times = calloc(places, sizeof *times);
	bool ok = times != NULL && find_cycle_times(solver, index, times);

	if (ok && !are_finite(times, places)) {
		memset(times, 0, places * sizeof *times);
		cycle->is_too_large = true;
		ok = find_cycle_times(solver, index, times);
	}
	for (size_t i = 0; ok && i < count; i++)
		profile->nodes[cycle->members[i]].entry_cost = times[cycle_cost_place(count, i)];
	cycle->entry_time = sum_of_entries(profile, cycle);
	free(times);
	return ok;
}

bool cycles_solve(struct profile *profile, const size_t *ordered, bool of_wanted)
{
	struct scratch scratch = {.count = 0};
	struct solver solver = {
	        .profile = profile,
	        .of_wanted = of_wanted,
	        .totals = scratch_array(&scratch, profile->node_count, sizeof(double)),
	        .cycle_totals = scratch_array(&scratch, profile->cycle_count, sizeof(double)),
	};
	bool ok = !scratch.is_short_of_memory;

	for (size_t i = 0; ok && !profile->shares_cycles_by_calls && i < profile->node_count; i++) {
		find_total_time(&solver, ordered[i]);
		if (flow_is_last_member(profile, ordered, i))
			ok = solve_cycle(&solver, profile->nodes[ordered[i]].cycle);
	}
	scratch_free(&scratch);
	return ok;
}
