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
	profile->handler_time += share->samples * share->handler_time;
	count_add(&profile->losses.samples_shared, share->shared_samples);
	return STATUS_OK;
}

/*
 * The sampling interrupt never samples itself: of the time between two samples, so much is not that of the code. It is
 * no random number, so it has no counting error.
 */
static enum status credit_handler(struct profile *profile, struct error *error)
{
	if (profile->handler_time <= 0)
		return STATUS_OK;
	size_t recorder = profile_node_of_kind(profile, PROFILE_BAREPROF);
	if (recorder == PROFILE_NONE)
		return status_fail(error, "%s: out of memory for the rows of the profile", profile->image->path);
	profile->nodes[recorder].self_time += profile->handler_time;
	profile->total_time += profile->handler_time;
	return STATUS_OK;
}

enum status analysis_assign_samples(struct profile *profile, struct error *error)
{
	enum status status = shares_each(profile, credit_node, profile, error);
	return status == STATUS_OK ? credit_handler(profile, error) : status;
}
