/* SPDX-License-Identifier: MIT */
/* Splits a profile by context or by core: the passes run again over the captures of each part. */
#include "profile/analysis/parts.h"

#include <stdlib.h>

#define CORES_MIN 8 /* always shown, regardless of their cost */

static enum status check_cores(const struct profile *profile, struct error *error)
{
	size_t max = parts_max(profile);

	max = max > CORES_MIN ? max : CORES_MIN;
	if (profile->part_count > max)
		return status_fail_with(error, HINT_SELECT_CORE,
		                        "%s: captures of %zu cores, at most %zu of such a firmware can be shown",
		                        profile->image->path, profile->part_count, max);
	return STATUS_OK;
}

/* A core's number is one byte. */
static enum status find_cores(struct profile *profile, struct error *error)
{
	bool seen[UINT8_MAX + 1] = {false};

	profile->parts = calloc(sizeof seen / sizeof *seen, sizeof *profile->parts);
	if (profile->parts == NULL)
		return status_no_memory(error, profile->image->path);
	for (size_t i = 0; i < profile->block_count; i++) {
		uint8_t core = (uint8_t)profile->blocks[i]->header.core;

		if (!seen[core])
			profile->parts[profile->part_count++] = (struct profile_part){.number = core, .name = ""};
		seen[core] = true;
	}
	return check_cores(profile, error);
}

static enum status fill_parts(struct profile *profile, enum analysis_split by, const struct analysis_options *options,
                              struct error *error)
{
	/* Calls that were never made belong to no part. */
	struct analysis_options recorded = *options;

	recorded.static_calls = false;
	enum status status = STATUS_OK;
	for (size_t i = 0; status == STATUS_OK && i < profile->part_count; i++) {
		status = parts_begin(profile, profile->parts, i, by, error);
		if (status == STATUS_OK)
			status = analysis_fill(profile->parts[i].profile, &recorded, error);
	}
	return status;
}

static int compare_parts(const void *left, const void *right)
{
	const struct profile_part *a = left, *b = right;

	return parts_compare(&(struct part_key){a->is_rest, a->number, a->name, a->profile->total_time},
	                     &(struct part_key){b->is_rest, b->number, b->name, b->profile->total_time});
}

enum status analysis_split(struct profile *profile, enum analysis_split by, const struct analysis_options *options,
                           struct error *error)
{
	enum status status = by == ANALYSIS_BY_CORE
	                             ? find_cores(profile, error)
	                             : parts_find_contexts(profile, &profile->parts, &profile->part_count, error);

	if (status == STATUS_OK)
		status = fill_parts(profile, by, options, error);
	if (status == STATUS_OK && profile->part_count > 0)
		qsort(profile->parts, profile->part_count, sizeof *profile->parts, compare_parts);
	return status;
}
