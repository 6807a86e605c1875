/* SPDX-License-Identifier: MIT */
/*
 * Splits a profile by context or by core: what each of them has of the captures is copied and becomes a profile of its
 * own. Knows nothing of how the passes work.
 */
#include "analysis/analysis.h"

#include <stdlib.h>
#include <string.h>

/* A damaged capture may name a new context with each sample; a part costs as much memory as the whole. */
#define PARTS_MAX 256

static struct profile_part *find_part(const struct profile *profile, uint32_t number, const char *name)
{
	for (size_t i = 0; i < profile->part_count; i++)
		if (profile->parts[i].number == number && strcmp(profile->parts[i].name, name) == 0)
			return &profile->parts[i];
	return NULL;
}

static enum status add_part(struct profile *profile, uint32_t number, const char *name, struct error *error)
{
	if (find_part(profile, number, name) != NULL)
		return STATUS_OK;
	if (profile->part_count == PARTS_MAX)
		return status_fail(error, "%s: samples and calls of more than %d contexts: the captures are damaged",
		                   profile->captures[0]->path, PARTS_MAX);
	struct profile_part *parts = realloc(profile->parts, (profile->part_count + 1) * sizeof *parts);
	if (parts == NULL)
		return status_fail(error, "%s: out of memory", profile->image->path);
	profile->parts = parts;
	parts[profile->part_count++] = (struct profile_part){.number = number, .name = name};
	return STATUS_OK;
}

static enum status add_context(struct profile *profile, const struct capture_block *block, uint32_t context,
                               struct error *error)
{
	return add_part(profile, context, capture_context_name(block, context), error);
}

/* A part for each context that the block has samples or calls of. */
static enum status find_contexts(struct profile *profile, const struct capture_block *block, struct error *error)
{
	enum status status = STATUS_OK;
	for (size_t i = 0; status == STATUS_OK && i < block->cell_count; i++)
		status = add_context(profile, block, block->cells[i].context, error);
	for (size_t i = 0; status == STATUS_OK && i < block->arc_count; i++)
		status = add_context(profile, block, block->arcs[i].context, error);
	if (status == STATUS_OK && block->header.samples_outside > 0 && !block->is_part)
		status = add_context(profile, block, CAPTURE_NO_CONTEXT, error);
	return status;
}

static enum status find_parts(struct profile *profile, enum analysis_split by, struct error *error)
{
	enum status status = STATUS_OK;
	for (size_t i = 0; i < profile->capture_count; i++) {
		for (size_t j = 0; status == STATUS_OK && j < profile->captures[i]->block_count; j++) {
			const struct capture_block *block = &profile->captures[i]->blocks[j];
			status = by == ANALYSIS_BY_CORE ? add_part(profile, block->header.core, "", error)
			                                : find_contexts(profile, block, error);
		}
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

static enum status select_captures(const struct profile *profile, struct profile_part *part, enum analysis_split by,
                                   struct error *error)
{
	const struct capture_selection selection = selection_of(part, by);
	part->captures = calloc(profile->capture_count + 1, sizeof(struct capture *));
	for (size_t i = 0; part->captures != NULL && i < profile->capture_count; i++) {
		part->captures[i] = capture_select(profile->captures[i], &selection);
		if (part->captures[i] == NULL)
			break;
		part->capture_count++;
	}
	if (part->capture_count < profile->capture_count)
		return status_fail(error, "%s: out of memory", profile->image->path);
	return STATUS_OK;
}

static enum status fill_part(const struct profile *profile, struct profile_part *part, enum analysis_split by,
                             struct error *error)
{
	enum status status = select_captures(profile, part, by, error);
	if (status == STATUS_OK)
		status = profile_create_part(profile, (const struct capture *const *)part->captures,
		                             part->capture_count, &part->profile, error);
	if (status == STATUS_OK)
		status = analysis_fill(part->profile, error);
	return status;
}

static int compare_parts(const void *left, const void *right)
{
	const struct profile_part *a = left, *b = right;
	double a_time = a->profile->total_time, b_time = b->profile->total_time;
	bool a_is_last = a->number == CAPTURE_NO_CONTEXT, b_is_last = b->number == CAPTURE_NO_CONTEXT;
	if (a_is_last != b_is_last)
		return a_is_last ? 1 : -1;
	if (a_time < b_time || a_time > b_time)
		return a_time > b_time ? -1 : 1;
	if (a->number != b->number)
		return a->number < b->number ? -1 : 1;
	return strcmp(a->name, b->name);
}

enum status analysis_split(struct profile *profile, enum analysis_split by, struct error *error)
{
	enum status status = find_parts(profile, by, error);
	for (size_t i = 0; status == STATUS_OK && i < profile->part_count; i++)
		status = fill_part(profile, &profile->parts[i], by, error);
	if (status == STATUS_OK && profile->part_count > 0)
		qsort(profile->parts, profile->part_count, sizeof *profile->parts, compare_parts);
	return status;
}
