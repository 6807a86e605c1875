/* SPDX-License-Identifier: MIT */
/*
 * Pass: assigns samples to functions. A cell of samples that several functions overlap is shared among them by the
 * bytes of each that it covers (overlap scaling, as in gprof); bytes that belong to no function do not count when there
 * is a function in the cell, because padding does not run. Coarse bins are shared by nobody.
 */
#include "analysis/samples.h"

#include "analysis/analysis.h"

/* --- Whose the samples of a cell are. */

/* How much of the cell the image's function covers. */
static uint64_t overlap(const struct image_function *function, const struct sample_group *cell)
{
	uint64_t low = function->start > cell->low ? function->start : cell->low;
	uint64_t high = function->end < cell->high ? function->end : cell->high;
	return high > low ? high - low : 0;
}

/* Finds the functions that overlap a cell, and how many of its bytes they cover together. */
static void cover_cell(const struct image *image, struct sample_group *cell)
{
	cell->first = image_first_function_behind(image, cell->low);
	cell->end = cell->first;
	while (cell->end < image->function_count && image->functions[cell->end].start < cell->high)
		cell->bytes += overlap(&image->functions[cell->end++], cell);
}

/* Two functions of the recorder are one row, and so do not share. */
static bool is_shared(const struct profile *profile, const struct sample_group *cell)
{
	for (size_t i = cell->first + 1; i < cell->end; i++)
		if (profile->nodes[i].kind != PROFILE_BAREPROF || profile->nodes[i - 1].kind != PROFILE_BAREPROF)
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
	return profile_node_at(profile, cell->low);
}

static enum status out_of_memory(const struct profile *profile, struct error *error)
{
	return status_fail(error, "%s: out of memory for the rows of the profile", profile->image->path);
}

/* Whose the samples of a cell are, for the visitor. */
static enum status visit_cell(struct profile *profile, const struct capture_cell *cell, double sample_time,
                              sample_visitor visit, void *context, struct error *error)
{
	struct sample_group group = {
	        .count = cell->count,
	        .sample_time = sample_time,
	        .node = PROFILE_NONE,
	        .low = cell->low,
	        .high = cell->high,
	};
	if (!cell->coarse)
		cover_cell(profile->image, &group);
	if (is_shared(profile, &group))
		return visit(context, &group, error);
	group.node =
	        group.bytes == 0 ? node_of_no_function(profile, cell) : profile_node_of_function(profile, group.first);
	return group.node == PROFILE_NONE ? out_of_memory(profile, error) : visit(context, &group, error);
}

static enum status visit_outside(struct profile *profile, uint64_t count, double sample_time, sample_visitor visit,
                                 void *context, struct error *error)
{
	const struct sample_group group = {
	        .count = count,
	        .sample_time = sample_time,
	        .node = profile_node_of_kind(profile, PROFILE_OUTSIDE),
	};
	return group.node == PROFILE_NONE ? out_of_memory(profile, error) : visit(context, &group, error);
}

static enum status visit_block(struct profile *profile, const struct capture_block *block, sample_visitor visit,
                               void *context, struct error *error)
{
	double sample_time = profile_sample_time(profile, block);
	for (size_t i = 0; i < block->cell_count; i++) {
		enum status status = visit_cell(profile, &block->cells[i], sample_time, visit, context, error);
		if (status != STATUS_OK)
			return status;
	}
	if (block->header.samples_outside == 0 || block->is_part)
		return STATUS_OK;
	return visit_outside(profile, block->header.samples_outside, sample_time, visit, context, error);
}

enum status samples_visit(struct profile *profile, sample_visitor visit, void *context, struct error *error)
{
	for (size_t i = 0; i < profile->capture_count; i++) {
		for (size_t j = 0; j < profile->captures[i]->block_count; j++) {
			const struct capture_block *block = &profile->captures[i]->blocks[j];
			enum status status = visit_block(profile, block, visit, context, error);
			if (status != STATUS_OK)
				return status;
		}
	}
	return STATUS_OK;
}

/* --- The pass. */

/* variance: of the number of samples, counting statistics apart. */
static void credit_node(struct profile *profile, size_t index, double samples, double variance, double sample_time)
{
	struct profile_node *node = &profile->nodes[index];
	node->self_samples += samples;
	node->self_time += samples * sample_time;
	node->self_variance += (samples + variance) * sample_time * sample_time;
	profile->total_samples += samples;
	profile->total_time += samples * sample_time;
}

/*
 * Which of the functions in a shared cell really ran is not known: its samples may all be of any one of them, the
 * likelier the more bytes it covers, and that doubt is part of the error.
 */
static enum status share_group(struct profile *profile, const struct sample_group *group, struct error *error)
{
	double count = (double)group->count;
	profile->losses.samples_shared += group->count;
	for (size_t i = group->first; i < group->end; i++) {
		double share = (double)overlap(&profile->image->functions[i], group) / (double)group->bytes;
		size_t node = profile_node_of_function(profile, i);
		if (node == PROFILE_NONE)
			return out_of_memory(profile, error);
		credit_node(profile, node, count * share, count * count * share * (1 - share), group->sample_time);
	}
	return STATUS_OK;
}

static enum status assign_group(void *context, const struct sample_group *group, struct error *error)
{
	struct profile *profile = context;
	if (group->node == PROFILE_NONE)
		return share_group(profile, group, error);
	credit_node(profile, group->node, (double)group->count, 0, group->sample_time);
	return STATUS_OK;
}

enum status analysis_assign_samples(struct profile *profile, struct error *error)
{
	return samples_visit(profile, assign_group, profile, error);
}
