/* SPDX-License-Identifier: MIT */
/* Passes: assign samples to functions, and mark functions that may have none. */
#include "base/array.h"
#include "capture/count.h"
#include "profile/analysis.h"
#include "profile/samples/groups.h"

#include <math.h>
#include <stdlib.h>

/* The claim of a node on the current group: sums over its parts. */
struct node_sums {
	double samples, expected, gain, variance;
};

struct sharing {
	struct profile *profile;
	struct node_sums *sums; /* by node */
};

static void add_part_to_node(struct sharing *sharing, const struct group_part *part)
{
	struct node_sums *sums = &sharing->sums[part->node];

	sums->samples += part->samples;
	sums->expected += part->has_evidence ? part->expected : 0;
	sums->gain += part->gain;
	sums->variance += part->variance;
}

/*
 * A node's variance beyond the counting variance, which equals its samples. The expected samples increase it, because
 * they are correlated with the node's samples in other cells, and so are their errors. The upper limit is the variance
 * if one node has all samples.
 */
static double doubt_of_node(const struct sample_group *group, const struct node_sums *sums)
{
	double count = (double)group->count, others = fmax(count - sums->samples, 0);
	double variance = group_variance(group, sums->gain, sums->variance, sums->variance);
	double doubt = variance + 2 * (1 - sums->gain) * sums->expected - sums->samples;

	return fmin(fmax(doubt, 0), sums->samples * others);
}

static bool append_share(struct profile *profile, const struct share *share)
{
	return array_append(&profile->shares, &profile->share_count, share, sizeof *share);
}

static bool share_parts(struct sharing *sharing, const struct sample_group *group)
{
	const struct group_part *parts = group_parts(sharing->profile, group);
	bool ok = true, is_first = true;

	for (size_t i = 0; i < group->part_count; i++)
		add_part_to_node(sharing, &parts[i]);
	for (size_t i = 0; ok && i < group->part_count; i++) {
		struct node_sums *sums = &sharing->sums[parts[i].node];
		const struct share share = {
		        .node = parts[i].node,
		        .source = group->source,
		        .samples = sums->samples,
		        .variance = doubt_of_node(group, sums),
		        .sample_time = group->sample_time,
		        .handler_time = group->handler_time,
		        .shared_samples = group->count,
		        .is_first = is_first,
		};
		/* A node with several parts has one share, at the first of them. */
		bool is_taken = sums->gain <= 0;

		*sums = (struct node_sums){0};
		if (is_taken)
			continue;
		ok = append_share(sharing->profile, &share);
		is_first = false;
	}
	return ok;
}

static bool share_group(struct sharing *sharing, const struct sample_group *group)
{
	const struct share share = {
	        .node = group->node,
	        .source = group->source,
	        .samples = (double)group->count,
	        .sample_time = group->sample_time,
	        .handler_time = group->handler_time,
	        .is_first = true,
	};

	return group->node == PROFILE_NONE ? share_parts(sharing, group) : append_share(sharing->profile, &share);
}

static enum status make_shares(struct profile *profile, struct error *error)
{
	enum status status = groups_make(profile, error);
	struct sharing sharing = {.profile = profile};

	if (status != STATUS_OK)
		return status;
	sharing.sums = calloc(profile->node_count + 1, sizeof *sharing.sums);
	bool ok = sharing.sums != NULL;
	for (size_t i = 0; ok && i < profile->group_count; i++)
		ok = share_group(&sharing, &profile->groups[i]);
	free(sharing.sums);
	return ok ? STATUS_OK : status_no_memory(error, profile->image->path);
}

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

/* The sampling interrupt never samples itself, so its part of the time between two samples does not belong to the
 * sampled code. That part is not random, so it has no counting error. */
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
	enum status status = make_shares(profile, error);

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
