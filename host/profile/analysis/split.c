/* SPDX-License-Identifier: MIT */
/* Splits a profile by context or by core: the passes run again over the captures of each part. */
#include "profile/split.h"

#include "profile/analysis/parts.h"

#include <stdlib.h>
#include <string.h>

#define CORES_MIN 8 /* always shown, regardless of their cost */

/* The parts that one split adds. */
struct added {
	struct profile_part *parts;
	size_t count;
};

static enum status check_cores(const struct profile *profile, size_t count, struct error *error)
{
	size_t max = parts_max(profile);

	max = max > CORES_MIN ? max : CORES_MIN;
	if (count > max)
		return status_fail_with(
		        error, HINT_SELECT_CORE,
		        "%s: captures of %zu cores, but at most %zu can be shown for a firmware of this size",
		        profile->image->path, count, max);
	return STATUS_OK;
}

/* A core's number is one byte. */
static enum status find_cores(const struct profile *profile, struct added *added, struct error *error)
{
	bool seen[UINT8_MAX + 1] = {false};

	added->parts = calloc(sizeof seen / sizeof *seen, sizeof *added->parts);
	if (added->parts == NULL)
		return status_no_memory(error, profile->image->path);
	for (size_t i = 0; i < profile->block_count; i++) {
		uint8_t core = (uint8_t)profile->blocks[i]->header.core;

		if (!seen[core])
			added->parts[added->count++] = (struct profile_part){.of_core = true, .core = core, .name = ""};
		seen[core] = true;
	}
	return check_cores(profile, added->count, error);
}

static enum status fill_parts(const struct profile *profile, const struct added *added,
                              const struct analysis_options *options, struct error *error)
{
	/* Calls that were never made belong to no part. */
	struct analysis_options recorded = *options;

	recorded.static_calls = false;
	enum status status = STATUS_OK;
	for (size_t i = 0; status == STATUS_OK && i < added->count; i++) {
		status = parts_begin(profile, added->parts, i, error);
		if (status == STATUS_OK)
			status = analysis_fill(added->parts[i].profile, &recorded, error);
	}
	return status;
}

static struct part_key key_of_part(const struct profile_part *part)
{
	return (struct part_key){
	        .core = part->of_context ? part->core : 0,
	        .is_rest = part->is_rest,
	        .number = part->of_context ? part->number : part->core,
	        .name = part->name,
	        .time = part->profile->total_time,
	};
}

static int compare_parts(const void *left, const void *right)
{
	const struct part_key a = key_of_part(left), b = key_of_part(right);

	return parts_compare(&a, &b);
}

/* Appends the parts to the profile's parts. */
static enum status move_parts(struct profile *profile, struct added *added, struct error *error)
{
	struct profile_part *parts =
	        realloc(profile->parts, (profile->part_count + added->count + 1) * sizeof *profile->parts);

	if (parts == NULL)
		return status_no_memory(error, profile->image->path);
	if (added->count > 0)
		memcpy(&parts[profile->part_count], added->parts, added->count * sizeof *parts);
	profile->parts = parts;
	profile->part_count += added->count;
	added->count = 0;
	return STATUS_OK;
}

enum status analysis_split(struct profile *profile, unsigned by, const struct analysis_options *options,
                           struct error *error)
{
	struct added added = {.count = 0};
	enum status status = by == ANALYSIS_BY_CORE ? find_cores(profile, &added, error)
	                                            : parts_find_contexts(profile, (by & ANALYSIS_BY_CORE) != 0,
	                                                                  &added.parts, &added.count, error);

	if (status == STATUS_OK)
		status = fill_parts(profile, &added, options, error);
	if (status == STATUS_OK && added.count > 0) {
		qsort(added.parts, added.count, sizeof *added.parts, compare_parts);
		status = move_parts(profile, &added, error);
	}
	for (size_t i = 0; i < added.count; i++)
		profile_free_part(&added.parts[i]);
	free(added.parts);
	return status;
}
