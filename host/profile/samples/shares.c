/* SPDX-License-Identifier: MIT */
/* See shares.h. */
#include "profile/samples/shares.h"

#include "base/array.h"
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

static void add_part(struct sharing *sharing, const struct group_part *part)
{
	struct node_sums *sums = &sharing->sums[part->node];

	sums->samples += part->samples;
	sums->expected += part->has_evidence ? part->expected : 0;
	sums->gain += part->gain;
	sums->variance += part->variance;
}

/*
 * The variance beyond that of counting. It is never negative, so the variance of a node is at least its samples.
 * Expected samples are correlated with the node's samples in other cells, and so are their errors. The limit is the
 * variance if all samples belong to one of the nodes.
 */
static double doubt_about(const struct sample_group *group, const struct node_sums *sums)
{
	double count = (double)group->count, others = fmax(count - sums->samples, 0);
	double variance = group_variance(group, sums->gain, sums->variance, sums->variance);
	double doubt = variance + 2 * (1 - sums->gain) * sums->expected - sums->samples;

	return fmin(fmax(doubt, 0), sums->samples * others);
}

static bool add_share(struct profile *profile, const struct share *share)
{
	return array_append(&profile->shares, &profile->share_count, share, sizeof *share);
}

static bool share_parts(struct sharing *sharing, const struct sample_group *group)
{
	const struct group_part *parts = group_parts(sharing->profile, group);
	bool ok = true, is_first = true;

	for (size_t i = 0; i < group->part_count; i++)
		add_part(sharing, &parts[i]);
	for (size_t i = 0; ok && i < group->part_count; i++) {
		struct node_sums *sums = &sharing->sums[parts[i].node];
		const struct share share = {
		        .node = parts[i].node,
		        .source = group->source,
		        .samples = sums->samples,
		        .variance = doubt_about(group, sums),
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
		ok = add_share(sharing->profile, &share);
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

	return group->node == PROFILE_NONE ? share_parts(sharing, group) : add_share(sharing->profile, &share);
}

enum status shares_make(struct profile *profile, struct error *error)
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
