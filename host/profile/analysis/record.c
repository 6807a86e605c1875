/* SPDX-License-Identifier: MIT */
/* The passes that add the contents of the captures to a profile: for the whole, and again for each context. */
#include "profile/analysis/analysis.h"

/* Functions of the image are the first nodes. */
static void scale_self_times(struct profile *profile)
{
	for (size_t i = 0; profile->factors != NULL && i < profile->image->function_count; i++) {
		struct profile_node *node = &profile->nodes[i];
		double factor = profile->factors[i];

		profile->total_time += node->self_time * (factor - 1);
		node->self_time *= factor;
		node->self_variance *= factor * factor;
	}
}

enum status analysis_record(struct profile *profile, struct error *error)
{
	enum status status = analysis_assign_samples(profile, error);

	if (status == STATUS_OK)
		status = analysis_build_arcs(profile, error);
	if (status == STATUS_OK) {
		analysis_mark_only_shared(profile);
		scale_self_times(profile);
	}
	return status;
}
