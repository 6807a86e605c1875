/* SPDX-License-Identifier: MIT */
/*
 * See groups.h. A cell of samples is shared among the functions in it that can have run (runs.h), block by block
 * (apportion.h). Neither padding nor data among code is ever sampled. Coarse bins are not shared.
 */
#include "profile/samples/groups.h"

#include "profile/samples/runs.h"

#include <stdlib.h>

/* The callback that receives the groups. */
struct listener {
	struct profile *profile;
	group_found found;
	void *context;
};

static enum status report(const struct listener *listener, const struct sample_group *group, struct error *error)
{
	if (group->node == PROFILE_NONE && group->part_count == 0)
		return status_no_memory(error, listener->profile->image->path);
	return listener->found(listener->context, group, error);
}

/* --- Cells with code. */

static size_t common_node(const struct group_part *parts, size_t count)
{
	for (size_t i = 1; i < count; i++)
		if (parts[i].node != parts[0].node)
			return PROFILE_NONE;
	return parts[0].node;
}

static enum status report_cell(const struct listener *listener, const struct runs *runs, const struct cell *cell,
                               struct error *error)
{
	struct sample_group group = {
	        .count = cell->count,
	        .source = cell->source,
	        .sample_time = cell->sample_time,
	        .handler_time = cell->handler_time,
	        .size = cell->high - cell->low,
	        .part_count = cell->end - cell->first,
	        .spread = (double)cell->count,
	};

	for (size_t i = cell->first; i < cell->end; i++)
		group.spread += runs->parts[i].variance;
	if (group.part_count > 0) {
		group.parts = &runs->parts[cell->first];
		group.node = common_node(group.parts, group.part_count);
	} else {
		group.node = profile_node_outside_functions(listener->profile, cell->low, cell->high);
	}
	return report(listener, &group, error);
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

		if (cell->coarse)
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

static enum status report_cells(const struct listener *listener, struct runs *runs, struct error *error)
{
	struct cell *cells;
	size_t count, end;
	enum status status = STATUS_OK;

	if (!cells_collect(listener->profile, &cells, &count))
		return status_no_memory(error, listener->profile->image->path);
	status = cells_check(listener->profile, cells, count, error);
	for (size_t first = 0; status == STATUS_OK && first < count; first = end) {
		end = cells_run_end(cells, first, count);
		if (!runs_fill(runs, &cells[first], end - first))
			status = status_no_memory(error, listener->profile->image->path);
		for (size_t i = first; status == STATUS_OK && i < end; i++)
			status = report_cell(listener, runs, &cells[i], error);
	}
	free(cells);
	return status;
}

static enum status report_all_cells(const struct listener *listener, struct error *error)
{
	struct profile *profile = listener->profile;

	if (profile->code == NULL) {
		profile->code = code_map_create(profile->image);
		profile->owns_code = true;
	}
	struct runs runs = {.profile = profile, .map = profile->code};
	enum status status = profile->code != NULL && runs_prepare(&runs)
	                             ? report_cells(listener, &runs, error)
	                             : status_no_memory(error, profile->image->path);
	runs_free(&runs);
	return status;
}

/* --- Samples without a cell. */

/* A coarse bin must not give time to functions that may not have run. */
static enum status report_coarse(const struct listener *listener, const struct capture_block *block,
                                 struct error *error)
{
	struct profile *profile = listener->profile;
	enum status status = STATUS_OK;

	for (size_t i = 0; status == STATUS_OK && i < block->cell_count; i++) {
		const struct capture_cell *cell = &block->cells[i];

		if (!cell->coarse)
			continue;
		const struct sample_group group = {
		        .count = cell->count,
		        .source = source_of(block, cell->context),
		        .sample_time = profile_sample_time(profile, block),
		        .handler_time = profile_handler_time(profile, block),
		        .node = profile_node_of_full_table(profile, cell->low, cell->high),
		};
		status = report(listener, &group, error);
	}
	return status;
}

static enum status report_outside(const struct listener *listener, const struct capture_block *block,
                                  struct error *error)
{
	if (block->header.samples_outside == 0 || block->is_part)
		return STATUS_OK;
	const struct sample_group group = {
	        .count = block->header.samples_outside,
	        .source = source_of(block, CAPTURE_NO_CONTEXT),
	        .sample_time = profile_sample_time(listener->profile, block),
	        .handler_time = profile_handler_time(listener->profile, block),
	        .node = profile_node_of_kind(listener->profile, PROFILE_OUTSIDE),
	};
	return report(listener, &group, error);
}

enum status groups_each(struct profile *profile, group_found found, void *context, struct error *error)
{
	const struct listener listener = {profile, found, context};

	if (profile->block_count == 0)
		return STATUS_OK;
	for (size_t i = 0; i < profile->block_count; i++)
		if (!number_rows(profile, profile->blocks[i]))
			return status_no_memory(error, profile->image->path);
	enum status status = report_all_cells(&listener, error);
	for (size_t i = 0; status == STATUS_OK && i < profile->block_count; i++) {
		status = report_coarse(&listener, profile->blocks[i], error);
		if (status == STATUS_OK)
			status = report_outside(&listener, profile->blocks[i], error);
	}
	return status;
}

double group_variance(const struct sample_group *group, double gain, double first, double second)
{
	return second - 2 * gain * first + gain * gain * group->spread;
}
