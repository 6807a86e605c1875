/* SPDX-License-Identifier: MIT */
/*
 * Splits a profile by context or by core: what each of them has of the captures is copied and becomes a profile of its
 * own. Knows nothing of how the passes work.
 */
#include "analysis/analysis.h"

#include "analysis/contexts.h"

#include <stdlib.h>
#include <string.h>

/* A part costs as much memory as the functions of the whole; contexts beyond these share the last. */
#define PARTS_MAX 256

static enum status reserve_parts(struct profile *profile, size_t count, struct error *error)
{
	profile->parts = calloc(count + 1, sizeof *profile->parts);
	if (profile->parts == NULL)
		return status_fail(error, "%s: out of memory", profile->image->path);
	return STATUS_OK;
}

static enum status find_contexts(struct profile *profile, struct error *error)
{
	struct context_sums sums;
	enum status status = contexts_sum(profile, &sums, error);
	bool has_rest = sums.count > PARTS_MAX;
	size_t own = has_rest ? PARTS_MAX - 1 : sums.count;
	if (status == STATUS_OK)
		status = reserve_parts(profile, own + has_rest, error);
	for (size_t i = 0; status == STATUS_OK && i < own; i++)
		profile->parts[profile->part_count++] =
		        (struct profile_part){.number = sums.items[i].number, .name = sums.items[i].name};
	if (status == STATUS_OK && has_rest)
		profile->parts[profile->part_count++] =
		        (struct profile_part){.name = "<other contexts>", .is_rest = true};
	free(sums.items);
	return status;
}

/* A core's number is a byte. */
static enum status find_cores(struct profile *profile, struct error *error)
{
	bool seen[UINT8_MAX + 1] = {false};
	enum status status = reserve_parts(profile, sizeof seen / sizeof *seen, error);
	for (size_t i = 0; status == STATUS_OK && i < profile->block_count; i++) {
		uint8_t core = (uint8_t)profile->blocks[i]->header.core;
		if (!seen[core])
			profile->parts[profile->part_count++] = (struct profile_part){.number = core, .name = ""};
		seen[core] = true;
	}
	return status;
}

static struct capture_selection selection_of(const struct profile_part *part, enum analysis_split by)
{
	if (by == ANALYSIS_BY_CORE)
		return (struct capture_selection){.of_core = true, .core = part->number};
	return (struct capture_selection){
	        .of_context = true,
	        .context = part->number,
	        .context_name = part->name,
	};
}

static enum status select_captures(const struct profile *profile, struct profile_part *part,
                                   const struct capture_selection *selection, struct error *error)
{
	part->captures = calloc(profile->capture_count + 1, sizeof(struct capture *));
	for (size_t i = 0; part->captures != NULL && i < profile->capture_count; i++) {
		part->captures[i] = capture_select(profile->captures[i], selection);
		if (part->captures[i] == NULL)
			break;
		part->capture_count++;
	}
	if (part->capture_count < profile->capture_count)
		return status_fail(error, "%s: out of memory", profile->image->path);
	return STATUS_OK;
}

static enum status fill_part(const struct profile *profile, struct profile_part *part,
                             const struct capture_selection *selection, const struct analysis_options *options,
                             struct error *error)
{
	/* Calls that never were are of no part. */
	struct analysis_options recorded = *options;
	recorded.static_calls = false;
	enum status status = select_captures(profile, part, selection, error);
	if (status == STATUS_OK)
		status = profile_create_part(profile, (const struct capture *const *)part->captures,
		                             part->capture_count, &part->profile, error);
	if (status == STATUS_OK)
		status = analysis_fill(part->profile, &recorded, error);
	return status;
}

/* The rest is the last of the parts, and has what none of those before it has. */
static enum status fill_parts(struct profile *profile, enum analysis_split by, const struct analysis_options *options,
                              struct error *error)
{
	struct capture_selection selections[PARTS_MAX];
	enum status status = STATUS_OK;
	for (size_t i = 0; status == STATUS_OK && i < profile->part_count; i++) {
		struct profile_part *part = &profile->parts[i];
		selections[i] = part->is_rest ? (struct capture_selection){.except = selections, .except_count = i}
		                              : selection_of(part, by);
		status = fill_part(profile, part, &selections[i], options, error);
	}
	return status;
}

/* The order of kinds: a context or a core, what is left of them, what has none. */
static int rank_of(const struct profile_part *part)
{
	return part->is_rest ? 1 : 2 * (part->number == CAPTURE_NO_CONTEXT);
}

static int compare_parts(const void *left, const void *right)
{
	const struct profile_part *a = left, *b = right;
	double a_time = a->profile->total_time, b_time = b->profile->total_time;
	if (rank_of(a) != rank_of(b))
		return rank_of(a) - rank_of(b);
	if (a_time < b_time || a_time > b_time)
		return a_time > b_time ? -1 : 1;
	if (a->number != b->number)
		return a->number < b->number ? -1 : 1;
	return strcmp(a->name, b->name);
}

enum status analysis_split(struct profile *profile, enum analysis_split by, const struct analysis_options *options,
                           struct error *error)
{
	enum status status = by == ANALYSIS_BY_CORE ? find_cores(profile, error) : find_contexts(profile, error);
	if (status == STATUS_OK)
		status = fill_parts(profile, by, options, error);
	if (status == STATUS_OK && profile->part_count > 0)
		qsort(profile->parts, profile->part_count, sizeof *profile->parts, compare_parts);
	return status;
}
