/* SPDX-License-Identifier: MIT */
/* The time that a function could have caused, from callers to callees. */
#include "base/array.h"
#include "profile/analysis.h"
#include "profile/calls/flow.h"

/* The part of each callee's time that the function could have caused. */
struct possible_reach {
	const struct profile *profile;
	double *node_parts, *cycle_parts;
};

static double reached_part_of(const struct possible_reach *reach, size_t node)
{
	size_t cycle = reach->profile->nodes[node].cycle;

	return cycle == PROFILE_NONE ? reach->node_parts[node] : reach->cycle_parts[cycle];
}

static void reach_callee(const struct possible_reach *reach, const struct profile_arc *arc, double part)
{
	size_t cycle = reach->profile->nodes[arc->callee].cycle;
	double share = flow_share(reach->profile, arc);

	if (share > 0 && cycle != PROFILE_NONE)
		reach->cycle_parts[cycle] = 1;
	else
		reach->node_parts[arc->callee] += part * share;
}

static double add_reached_time(const struct possible_reach *reach, const size_t *ordered)
{
	const struct profile *profile = reach->profile;
	double time = 0;

	for (size_t i = profile->node_count; i-- > 0;) {
		size_t caller = ordered[i];
		double part = reached_part_of(reach, caller);

		time += part * profile->nodes[caller].self_time;
		for (size_t j = profile->first_arc[caller]; part > 0 && j < profile->first_arc[caller + 1]; j++)
			reach_callee(reach, &profile->arcs[j], part);
	}
	return time;
}

enum status analysis_possible_total(const struct profile *profile, size_t node, double *time, struct error *error)
{
	struct scratch scratch = {.count = 0};
	const struct possible_reach reach = {
	        .profile = profile,
	        .node_parts = scratch_array(&scratch, profile->node_count, sizeof(double)),
	        .cycle_parts = scratch_array(&scratch, profile->cycle_count, sizeof(double)),
	};
	size_t *ordered = flow_order(profile);
	bool ok = ordered != NULL && !scratch.is_short_of_memory;

	if (ok && profile->nodes[node].cycle == PROFILE_NONE)
		reach.node_parts[node] = 1;
	else if (ok)
		reach.cycle_parts[profile->nodes[node].cycle] = 1;
	*time = profile_node_total(&profile->nodes[node]);
	if (ok && profile->measurement == NULL)
		*time = add_reached_time(&reach, ordered);
	free(ordered);
	scratch_free(&scratch);
	return ok ? STATUS_OK : status_no_memory(error, profile->image->path);
}
