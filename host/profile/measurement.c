/* SPDX-License-Identifier: MIT */
/* See measurement.h. */
#include "profile/measurement.h"

#include <stdlib.h>

void profile_free_measurement(struct profile_measurement *measurement)
{
	if (measurement == NULL)
		return;
	free(measurement->stacks);
	free(measurement->frames);
	free(measurement->strata);
	free(measurement->arcs);
	free(measurement);
}

const struct profile_measured_arc *profile_measured_arc(const struct profile *profile, const struct profile_arc *arc)
{
	static const struct profile_measured_arc nothing;

	return profile->measurement == NULL ? &nothing : &profile->measurement->arcs[arc - profile->arcs];
}

bool profile_has_lower_bounds(const struct profile *profile)
{
	for (size_t i = 0; i < profile->node_count; i++)
		if (profile->nodes[i].is_lower_bound)
			return true;
	for (size_t i = 0; i < profile->arc_count; i++)
		if (profile_measured_arc(profile, &profile->arcs[i])->is_lower_bound)
			return true;
	return false;
}

bool profile_has_estimate(const struct profile *profile)
{
	for (size_t i = 0; profile->measurement != NULL && i < profile->arc_count; i++)
		if (profile->arcs[i].count > 0 && !profile->arcs[i].is_inlined)
			return true;
	return false;
}

double profile_node_estimate(const struct profile_node *node)
{
	return node->self_time + node->estimated_child_time;
}
