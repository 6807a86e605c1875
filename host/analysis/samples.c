/* SPDX-License-Identifier: MIT */
/* Pass: assigns samples to functions. Knows nothing of how the functions that a bin covers share it (shares.h). */
#include "analysis/analysis.h"
#include "analysis/shares.h"
#include "capture/count.h"

static enum status credit_node(void *context, const struct share *share, struct error *error)
{
	(void)error;
	struct profile *profile = context;
	struct profile_node *node = &profile->nodes[share->node];
	double time = share->samples * share->sample_time;
	node->self_samples += share->samples;
	node->self_time += time;
	node->self_variance += (share->samples + share->variance) * share->sample_time * share->sample_time;
	profile->total_samples += share->samples;
	profile->total_time += time;
	count_add(&profile->losses.samples_shared, share->shared_samples);
	return STATUS_OK;
}

enum status analysis_assign_samples(struct profile *profile, struct error *error)
{
	return shares_each(profile, credit_node, profile, error);
}
