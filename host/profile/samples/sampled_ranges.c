/* SPDX-License-Identifier: MIT */
/* Pass: finds the smallest ranges of code whose samples are known, for the times of instructions. */
#include "profile/sampled_ranges.h"

#include "base/array.h"
#include "base/search.h"
#include "profile/samples/groups.h"

#include <stdlib.h>

static bool add_ranges_of_group(struct profile *profile, const struct sample_group *group)
{
	for (size_t i = 0; i < group->part_count; i++) {
		const struct group_part *part = &group_parts(profile, group)[i];
		const struct profile_sampled_range range = {
		        .low = part->low,
		        .high = part->high,
		        .node = part->node,
		        .time = part->samples * group->sample_time,
		        .variance = group_variance(group, part->gain, part->variance, part->variance) *
		                    group->sample_time * group->sample_time,
		};

		if (part->samples > 0 &&
		    !array_append(&profile->sampled_ranges, &profile->sampled_range_count, &range, sizeof range))
			return false;
	}
	return true;
}

static int compare_sampled_ranges(const void *left, const void *right)
{
	const struct profile_sampled_range *a = left, *b = right;

	if (a->low != b->low)
		return a->low < b->low ? -1 : 1;
	return (a->high > b->high) - (a->high < b->high);
}

/* Several contexts and captures may have samples of the same range. */
static void merge_ranges(struct profile *profile)
{
	struct profile_sampled_range *ranges = profile->sampled_ranges;
	size_t kept = 0;

	qsort(ranges, profile->sampled_range_count, sizeof *ranges, compare_sampled_ranges);
	for (size_t i = 1; i < profile->sampled_range_count; i++) {
		if (compare_sampled_ranges(&ranges[kept], &ranges[i]) == 0) {
			ranges[kept].time += ranges[i].time;
			ranges[kept].variance += ranges[i].variance;
		} else {
			ranges[++kept] = ranges[i];
		}
	}
	profile->sampled_range_count = kept + 1;
}

enum status analysis_find_sampled_ranges(struct profile *profile, struct error *error)
{
	for (size_t i = 0; i < profile->group_count; i++)
		if (!add_ranges_of_group(profile, &profile->groups[i]))
			return status_no_memory(error, profile->image->path);
	if (profile->sampled_range_count > 0)
		merge_ranges(profile);
	return STATUS_OK;
}

const struct profile_sampled_range *profile_find_sampled_range(const struct profile *profile, uint64_t address)
{
	size_t next =
	        first_above(profile->sampled_ranges, profile->sampled_range_count, sizeof *profile->sampled_ranges,
	                    offsetof(struct profile_sampled_range, high), address);
	const struct profile_sampled_range *range = &profile->sampled_ranges[next];

	return next < profile->sampled_range_count && range->low <= address ? range : NULL;
}
