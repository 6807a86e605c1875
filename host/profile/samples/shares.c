/* SPDX-License-Identifier: MIT */
/* See shares.h. */
#include "profile/samples/shares.h"

#include "profile/samples/groups.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The claim of a node on the current group: sums over its parts. */
struct node_sums {
	double samples, expected, gain, variance;
};

struct sharing {
	struct profile *profile;
	share_found found;
	void *context;
	struct node_sums *sums; /* by node */
	size_t sum_count;
};

/* Nodes may be added while samples are shared. */
static bool reserve_sums(struct sharing *sharing)
{
	size_t count = sharing->profile->node_count;

	if (count <= sharing->sum_count)
		return true;
	struct node_sums *sums = reallocarray(sharing->sums, 2 * count, sizeof *sums);
	if (sums == NULL)
		return false;
	memset(sums + sharing->sum_count, 0, (2 * count - sharing->sum_count) * sizeof *sums);
	sharing->sums = sums;
	sharing->sum_count = 2 * count;
	return true;
}

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

static enum status share_parts(struct sharing *sharing, const struct sample_group *group, struct error *error)
{
	enum status status = STATUS_OK;
	bool is_first = true;

	if (!reserve_sums(sharing))
		return status_no_memory(error, sharing->profile->image->path);
	for (size_t i = 0; i < group->part_count; i++)
		add_part(sharing, &group->parts[i]);
	for (size_t i = 0; i < group->part_count; i++) {
		struct node_sums *sums = &sharing->sums[group->parts[i].node];
		const struct share share = {
		        .node = group->parts[i].node,
		        .source = group->source,
		        .samples = sums->samples,
		        .variance = doubt_about(group, sums),
		        .sample_time = group->sample_time,
		        .handler_time = group->handler_time,
		        .shared_samples = group->count,
		        .is_first = is_first,
		};
		/* A node with several parts is reported at the first one, with the sums of all. */
		bool is_taken = sums->gain <= 0;

		*sums = (struct node_sums){0};
		if (is_taken || status != STATUS_OK)
			continue;
		status = sharing->found(sharing->context, &share, error);
		is_first = false;
	}
	return status;
}

static enum status share_group(void *context, const struct sample_group *group, struct error *error)
{
	struct sharing *sharing = context;
	const struct share share = {
	        .node = group->node,
	        .source = group->source,
	        .samples = (double)group->count,
	        .sample_time = group->sample_time,
	        .handler_time = group->handler_time,
	        .is_first = true,
	};

	if (group->node == PROFILE_NONE)
		return share_parts(sharing, group, error);
	return sharing->found(sharing->context, &share, error);
}

enum status shares_each(struct profile *profile, share_found found, void *context, struct error *error)
{
	struct sharing sharing = {.profile = profile, .found = found, .context = context};
	enum status status = groups_each(profile, share_group, &sharing, error);

	free(sharing.sums);
	return status;
}
