/* SPDX-License-Identifier: MIT */
/* See shares.h. */
#include "analysis/shares.h"

#include "analysis/groups.h"

/* Whom the shares are told. */
struct sharing {
	struct profile *profile;
	share_found found;
	void *context;
};

double share_doubt(double samples, double fraction)
{
	return samples * samples * fraction * (1 - fraction);
}

/* What one function of those that share a group has of it. */
static enum status share_with(const struct sharing *sharing, const struct sample_group *group, size_t function,
                              struct error *error)
{
	uint64_t low, bytes = group_overlap(group, &sharing->profile->image->functions[function], &low);
	double fraction = (double)bytes / (double)group->bytes;
	const struct share share = {
	        .node = profile_node_of_function(sharing->profile, function),
	        .low = low,
	        .high = low + bytes,
	        .samples = (double)group->count * fraction,
	        .variance = share_doubt((double)group->count, fraction),
	        .sample_time = group->sample_time,
	        .shared_samples = function == group->first ? group->count : 0,
	};
	if (share.node == PROFILE_NONE)
		return status_fail(error, "%s: out of memory for the rows of the profile",
		                   sharing->profile->image->path);
	return sharing->found(sharing->context, &share, error);
}

/* A group of one node: the part of its cell where code lies, if it does. */
static enum status share_whole(const struct sharing *sharing, const struct sample_group *group, struct error *error)
{
	struct share share = {
	        .node = group->node,
	        .samples = (double)group->count,
	        .sample_time = group->sample_time,
	};
	if (group->bytes > 0) {
		share.high = group_overlap(group, &sharing->profile->image->functions[group->first], &share.low);
		share.high += share.low;
	}
	return sharing->found(sharing->context, &share, error);
}

static enum status share_group(void *context, const struct sample_group *group, struct error *error)
{
	const struct sharing *sharing = context;
	enum status status = STATUS_OK;
	if (group->node != PROFILE_NONE)
		return share_whole(sharing, group, error);
	for (size_t i = group->first; status == STATUS_OK && i < group->end; i++)
		status = share_with(sharing, group, i, error);
	return status;
}

enum status shares_each(struct profile *profile, share_found found, void *context, struct error *error)
{
	struct sharing sharing = {.profile = profile, .found = found, .context = context};
	return groups_each(profile, share_group, &sharing, error);
}
