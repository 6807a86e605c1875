/* SPDX-License-Identifier: MIT */
/*
 * See groups.h. A cell of samples is shared among the functions in it that can have run (runs.h), block by block
 * (apportion.h). Neither padding nor data among code is ever sampled. Coarse bins are not shared.
 */
#include "profile/samples/groups.h"

#include "base/array.h"
#include "profile/samples/runs.h"

#include <stdlib.h>

/* False when out of memory, also if the node of a cell without code could not be created. */
static bool add_group(struct profile *profile, const struct sample_group *group)
{
	return (group->node != PROFILE_NONE || group->part_count > 0) &&
	       array_append(&profile->groups, &profile->group_count, group, sizeof *group);
}

/* --- Cells with code. */

static size_t common_node(const struct group_part *parts, size_t count)
{
	for (size_t i = 1; i < count; i++)
		if (parts[i].node != parts[0].node)
			return PROFILE_NONE;
	return parts[0].node;
}

static bool add_sample_group(struct profile *profile, const struct runs *runs, const struct cell *cell)
{
	bool ok = true;
	struct sample_group group = {
	        .count = cell->count,
	        .source = cell->source,
	        .sample_time = cell->sample_time,
	        .handler_time = cell->handler_time,
	        .size = cell->high - cell->low,
	        .first_part = profile->group_part_count,
	        .part_count = cell->end - cell->first,
	        .spread = (double)cell->count,
	};

	for (size_t i = cell->first; ok && i < cell->end; i++) {
		group.spread += runs->parts[i].variance;
		ok = array_append(&profile->group_parts, &profile->group_part_count, &runs->parts[i],
		                  sizeof *runs->parts);
	}
	if (group.part_count > 0)
		group.node = common_node(&runs->parts[cell->first], group.part_count);
	else
		group.node = profile_node_outside_functions(profile, cell->low, cell->high);
	return ok && add_group(profile, &group);
}

/* Creates the nodes for code outside functions in the order of the captures, so that their numbers do not depend on the
 * order of cells. */
static bool number_rows(struct profile *profile, const struct capture_block *block)
{
	const struct image *image = profile->image;
	bool ok = true;

	for (size_t i = 0; ok && i < block->cell_count; i++) {
		const struct capture_cell *cell = &block->cells[i];
		size_t function = image_first_function_after(image, cell->low), node;
		bool has_code = function < image->function_count && image->functions[function].start < cell->high;

		if (cell->is_coarse)
			node = profile_node_of_full_table(profile, cell->low, cell->high);
		else
			node = has_code ? profile_node_of_function(profile, function)
			                : profile_node_outside_functions(profile, cell->low, cell->high);
		ok = node != PROFILE_NONE;
	}
	if (ok && block->header.samples_outside > 0 && !block->is_part)
		ok = profile_node_of_kind(profile, PROFILE_OUTSIDE) != PROFILE_NONE;
	return ok;
}

static enum status add_groups_of_cells(struct profile *profile, struct runs *runs, struct error *error)
{
	struct cell *cells;
	size_t count, end;
	enum status status = STATUS_OK;

	if (!cells_collect(profile, &cells, &count))
		return status_no_memory(error, profile->image->path);
	status = cells_check(profile, cells, count, error);
	for (size_t first = 0; status == STATUS_OK && first < count; first = end) {
		end = cells_run_end(cells, first, count);
		bool ok = runs_share_samples(runs, &cells[first], end - first);
		for (size_t i = first; ok && i < end; i++)
			ok = add_sample_group(profile, runs, &cells[i]);
		status = ok ? STATUS_OK : status_no_memory(error, profile->image->path);
	}
	free(cells);
	return status;
}

static enum status add_all_cells(struct profile *profile, struct error *error)
{
	if (profile->code == NULL) {
		profile->code = code_map_create(profile->image);
		profile->owns_code = true;
	}
	struct runs runs = {.profile = profile, .map = profile->code};
	enum status status = profile->code != NULL && runs_prepare(&runs)
	                             ? add_groups_of_cells(profile, &runs, error)
	                             : status_no_memory(error, profile->image->path);
	runs_free(&runs);
	return status;
}

/* --- Samples without a cell. */

/* The time of a coarse bin must not go to functions that may not have run. */
static bool add_coarse(struct profile *profile, const struct capture_block *block)
{
	bool ok = true;

	for (size_t i = 0; ok && i < block->cell_count; i++) {
		const struct capture_cell *cell = &block->cells[i];

		if (!cell->is_coarse)
			continue;
		const struct sample_group group = {
		        .count = cell->count,
		        .source = source_of(block, cell->context),
		        .sample_time = profile_sample_time(profile, block),
		        .handler_time = profile_handler_time(profile, block),
		        .node = profile_node_of_full_table(profile, cell->low, cell->high),
		};
		ok = add_group(profile, &group);
	}
	return ok;
}

static bool add_outside(struct profile *profile, const struct capture_block *block)
{
	if (block->header.samples_outside == 0 || block->is_part)
		return true;
	const struct sample_group group = {
	        .count = block->header.samples_outside,
	        .source = source_of(block, CAPTURE_NO_CONTEXT),
	        .sample_time = profile_sample_time(profile, block),
	        .handler_time = profile_handler_time(profile, block),
	        .node = profile_node_of_kind(profile, PROFILE_OUTSIDE),
	};
	return add_group(profile, &group);
}

enum status groups_make(struct profile *profile, struct error *error)
{
	if (profile->block_count == 0)
		return STATUS_OK;
	for (size_t i = 0; i < profile->block_count; i++)
		if (!number_rows(profile, profile->blocks[i]))
			return status_no_memory(error, profile->image->path);
	enum status status = add_all_cells(profile, error);
	for (size_t i = 0; status == STATUS_OK && i < profile->block_count; i++)
		if (!add_coarse(profile, profile->blocks[i]) || !add_outside(profile, profile->blocks[i]))
			status = status_no_memory(error, profile->image->path);
	return status;
}

double group_variance(const struct sample_group *group, double gain, double first, double second)
{
	return second - 2 * gain * first + gain * gain * group->spread;
}
