/* SPDX-License-Identifier: MIT */
/* See shares.h. */
#include "analysis/shares.h"

#include "analysis/groups.h"

#include <stdlib.h>

/* Whom the shares are told. */
struct sharing {
	struct profile *profile;
	share_found found;
	void *context;
	uint64_t *covered; /* by owner: bytes of the group at hand; NULL: every function is its own */
};

/* The part of share_doubt(samples, whole) that a part of that whole has: they add up to it. */
static double doubt_of_part(double samples, double fraction, double whole)
{
	return samples * samples * fraction * (1 - whole);
}

double share_doubt(double samples, double fraction)
{
	return doubt_of_part(samples, fraction, fraction);
}

/* The bytes that the owner of each function covers: adds them, or forgets them again. */
static void cover(const struct sharing *sharing, const struct sample_group *group, bool adds)
{
	for (size_t i = group->first; sharing->covered != NULL && i < group->end; i++) {
		uint64_t low, *bytes = &sharing->covered[sharing->profile->owners[i]];
		*bytes = adds ? *bytes + group_overlap(group, &sharing->profile->image->functions[i], &low) : 0;
	}
}

/* What one function of those that share a group has of it. */
static enum status share_with(const struct sharing *sharing, const struct sample_group *group, size_t function,
                              struct error *error)
{
	uint64_t low, bytes = group_overlap(group, &sharing->profile->image->functions[function], &low);
	uint64_t whole = sharing->covered == NULL ? bytes : sharing->covered[sharing->profile->owners[function]];
	double fraction = (double)bytes / (double)group->bytes;
	const struct share share = {
	        .node = profile_node_of_function(sharing->profile, function),
	        .low = low,
	        .high = low + bytes,
	        .samples = (double)group->count * fraction,
	        .variance = doubt_of_part((double)group->count, fraction, (double)whole / (double)group->bytes),
	        .sample_time = group->sample_time,
	        .handler_time = group->handler_time,
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
	        .handler_time = group->handler_time,
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
	cover(sharing, group, true);
	for (size_t i = group->first; status == STATUS_OK && i < group->end; i++)
		status = share_with(sharing, group, i, error);
	cover(sharing, group, false);
	return status;
}

enum status shares_each(struct profile *profile, share_found found, void *context, struct error *error)
{
	struct sharing sharing = {.profile = profile, .found = found, .context = context};
	if (profile->owners != NULL) {
		sharing.covered = calloc(profile->image->function_count + 1, sizeof *sharing.covered);
		if (sharing.covered == NULL)
			return status_fail(error, "%s: out of memory for the shares of its functions",
			                   profile->image->path);
	}
	enum status status = groups_each(profile, share_group, &sharing, error);
	free(sharing.covered);
	return status;
}
