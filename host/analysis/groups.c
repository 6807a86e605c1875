/* SPDX-License-Identifier: MIT */
/*
 * See groups.h. A cell of samples that several functions overlap is shared among them by the bytes of each that it
 * covers (overlap scaling, as in gprof); bytes that belong to no function do not count when there is a function in the
 * cell, because padding does not run. Coarse bins are shared by nobody.
 */
#include "analysis/groups.h"

uint64_t group_overlap(const struct sample_group *group, const struct image_function *function, uint64_t *low)
{
	uint64_t high = function->end < group->high ? function->end : group->high;
	*low = function->start > group->low ? function->start : group->low;
	return high > *low ? high - *low : 0;
}

/* Finds the functions that overlap a cell, and how many of its bytes they cover together. */
static void cover_cell(const struct image *image, struct sample_group *cell)
{
	uint64_t low;
	cell->first = image_first_function_behind(image, cell->low);
	cell->end = cell->first;
	while (cell->end < image->function_count && image->functions[cell->end].start < cell->high)
		cell->bytes += group_overlap(cell, &image->functions[cell->end++], &low);
}

/* Functions of one row do not share: those of the recorder, and those of one owner. */
static bool is_shared(struct profile *profile, const struct sample_group *cell)
{
	for (size_t i = cell->first + 1; i < cell->end; i++)
		if (profile_node_of_function(profile, i) != profile_node_of_function(profile, i - 1))
			return true;
	return false;
}

/* The row of a cell that is not shared out: a coarse bin must not give time to functions that may not have run. */
static size_t node_of_no_function(struct profile *profile, const struct capture_cell *cell)
{
	if (cell->coarse)
		return profile_node_of_full_table(profile, cell->low, cell->high);
	if (profile_is_secure(profile->image, cell->low, cell->high))
		return profile_node_of_kind(profile, PROFILE_SECURE);
	if (profile_is_unavailable(profile->image, cell->low, cell->high))
		return profile_node_of_kind(profile, PROFILE_UNAVAILABLE);
	return profile_node_at(profile, cell->low);
}

static enum status out_of_memory(const struct profile *profile, struct error *error)
{
	return status_fail(error, "%s: out of memory for the rows of the profile", profile->image->path);
}

/* Whose the samples of a cell are, for found(). times: what is common to all groups of the block. */
static enum status tell_cell(struct profile *profile, const struct capture_cell *cell, const struct sample_group *times,
                             group_found found, void *context, struct error *error)
{
	struct sample_group group = *times;
	group.count = cell->count;
	group.node = PROFILE_NONE;
	group.low = cell->low;
	group.high = cell->high;
	if (!cell->coarse)
		cover_cell(profile->image, &group);
	if (is_shared(profile, &group))
		return found(context, &group, error);
	group.node =
	        group.bytes == 0 ? node_of_no_function(profile, cell) : profile_node_of_function(profile, group.first);
	return group.node == PROFILE_NONE ? out_of_memory(profile, error) : found(context, &group, error);
}

static enum status tell_outside(struct profile *profile, uint64_t count, const struct sample_group *times,
                                group_found found, void *context, struct error *error)
{
	struct sample_group group = *times;
	group.count = count;
	group.node = profile_node_of_kind(profile, PROFILE_OUTSIDE);
	return group.node == PROFILE_NONE ? out_of_memory(profile, error) : found(context, &group, error);
}

static enum status tell_block(struct profile *profile, const struct capture_block *block, group_found found,
                              void *context, struct error *error)
{
	const struct sample_group times = {
	        .sample_time = profile_sample_time(profile, block),
	        .handler_time = profile_handler_time(profile, block),
	};
	for (size_t i = 0; i < block->cell_count; i++) {
		enum status status = tell_cell(profile, &block->cells[i], &times, found, context, error);
		if (status != STATUS_OK)
			return status;
	}
	if (block->header.samples_outside == 0 || block->is_part)
		return STATUS_OK;
	return tell_outside(profile, block->header.samples_outside, &times, found, context, error);
}

enum status groups_each(struct profile *profile, group_found found, void *context, struct error *error)
{
	enum status status = STATUS_OK;
	for (size_t i = 0; status == STATUS_OK && i < profile->block_count; i++)
		status = tell_block(profile, profile->blocks[i], found, context, error);
	return status;
}
