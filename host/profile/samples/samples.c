/* SPDX-License-Identifier: MIT */
/* Passes: assign samples to functions, and mark functions that may have none. shares.h shares samples among the
 * functions of a bin. */
#include "capture/count.h"
#include "profile/analysis.h"
#include "profile/samples/shares.h"

static void credit_node(struct profile *profile, const struct share *share)
{
	struct profile_node *node = &profile->nodes[share->node];
	double time = share->samples * share->sample_time;
	bool is_shared = share->shared_samples > 0;

	node->is_only_shared = is_shared && (node->is_only_shared || node->self_samples <= 0);
	node->self_samples += share->samples;
	node->self_time += time;
	node->self_variance += (share->samples + share->variance) * share->sample_time * share->sample_time;
	profile->total_samples += share->samples;
	profile->total_time += time;
	profile->handler_time += share->samples * share->handler_time;
	if (share->is_first)
		count_add(&profile->losses.samples_shared, share->shared_samples);
}

/*
 * The sampling interrupt never samples itself, so its part of the time between two samples is not the code's. That part
 * is not random, so it has no counting error.
 */
static enum status credit_handler(struct profile *profile, struct error *error)
{
	if (profile->handler_time <= 0)
		return STATUS_OK;
	size_t recorder = profile_node_of_kind(profile, PROFILE_BAREPROF);
	if (recorder == PROFILE_NONE)
		return status_no_memory(error, profile->image->path);
	profile->nodes[recorder].self_time += profile->handler_time;
	profile->total_time += profile->handler_time;
	return STATUS_OK;
}

enum status analysis_assign_samples(struct profile *profile, struct error *error)
{
	enum status status = shares_make(profile, error);

	for (size_t i = 0; status == STATUS_OK && i < profile->share_count; i++)
		credit_node(profile, &profile->shares[i]);
	return status == STATUS_OK ? credit_handler(profile, error) : status;
}

static void forget_mark(struct profile_node *node)
{
	node->is_only_shared = false;
}

void analysis_mark_only_shared(struct profile *profile)
{
	for (size_t i = 0; i < profile->arc_count; i++) {
		const struct profile_arc *arc = &profile->arcs[i];

		if (arc->count == 0 || arc->is_inlined)
			continue;
		forget_mark(&profile->nodes[arc->caller]);
		forget_mark(&profile->nodes[arc->callee]);
	}
	for (size_t i = 0; i < profile->node_count; i++) {
		struct profile_node *node = &profile->nodes[i];
		double square = node->self_time * node->self_time;

		if (node->kind != PROFILE_FUNCTION)
			forget_mark(node);
		if (node->is_only_shared && node->self_variance < square)
			node->self_variance = square;
	}
}
