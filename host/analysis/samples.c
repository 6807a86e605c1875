/* SPDX-License-Identifier: MIT */
/*
 * Pass: assigns samples to functions. A cell of samples that several functions overlap is shared among them by the
 * bytes of each that it covers (overlap scaling, as in gprof); bytes that belong to no function do not count when there
 * is a function in the cell, because padding does not run.
 */
#include "analysis/analysis.h"

/* How much of the cell the image's function covers. */
static uint64_t overlap(const struct image_function *function, const struct capture_cell *cell)
{
	uint64_t low = function->start > cell->low ? function->start : cell->low;
	uint64_t high = function->end < cell->high ? function->end : cell->high;
	return high > low ? high - low : 0;
}

static enum status out_of_memory(const struct profile *profile, struct error *error)
{
	return status_fail(error, "%s: out of memory for the rows of the profile", profile->image->path);
}

/* Part of a cell: so many of its samples, each worth sample_time, to one node. */
static void credit(struct profile *profile, size_t node, double samples, double sample_time)
{
	profile->nodes[node].self_samples += samples;
	profile->nodes[node].self_time += samples * sample_time;
	profile->nodes[node].self_variance += samples * sample_time * sample_time;
	profile->total_samples += samples;
	profile->total_time += samples * sample_time;
}

static enum status credit_kind(struct profile *profile, enum profile_node_kind kind, double samples, double sample_time,
                               struct error *error)
{
	size_t node = profile_node_of_kind(profile, kind);
	if (node == PROFILE_NONE)
		return out_of_memory(profile, error);
	credit(profile, node, samples, sample_time);
	return STATUS_OK;
}

static enum status credit_address(struct profile *profile, uint64_t address, double samples, double sample_time,
                                  struct error *error)
{
	size_t node = profile_node_at(profile, address);
	if (node == PROFILE_NONE)
		return out_of_memory(profile, error);
	credit(profile, node, samples, sample_time);
	return STATUS_OK;
}

static enum status assign_cell(struct profile *profile, const struct capture_cell *cell, double sample_time,
                               struct error *error)
{
	const struct image *image = profile->image;
	size_t first = image_first_function_behind(image, cell->low);
	uint64_t covered = 0;
	if (cell->coarse)
		return credit_kind(profile, PROFILE_TABLE_FULL, (double)cell->count, sample_time, error);
	for (size_t i = first; i < image->function_count && image->functions[i].start < cell->high; i++)
		covered += overlap(&image->functions[i], cell);
	if (covered == 0)
		return credit_address(profile, cell->low, (double)cell->count, sample_time, error);
	for (size_t i = first; i < image->function_count && image->functions[i].start < cell->high; i++) {
		double share = (double)overlap(&image->functions[i], cell) / (double)covered;
		enum status status = credit_address(profile, image->functions[i].start, (double)cell->count * share,
		                                    sample_time, error);
		if (status != STATUS_OK)
			return status;
	}
	return STATUS_OK;
}

static enum status assign_block(struct profile *profile, const struct capture_block *block, struct error *error)
{
	double sample_time = profile_sample_time(profile, block);
	for (size_t i = 0; i < block->cell_count; i++) {
		enum status status = assign_cell(profile, &block->cells[i], sample_time, error);
		if (status != STATUS_OK)
			return status;
	}
	if (block->header.samples_outside == 0)
		return STATUS_OK;
	return credit_kind(profile, PROFILE_OUTSIDE, block->header.samples_outside, sample_time, error);
}

enum status analysis_assign_samples(struct profile *profile, struct error *error)
{
	for (size_t i = 0; i < profile->capture_count; i++) {
		for (size_t j = 0; j < profile->captures[i]->block_count; j++) {
			enum status status = assign_block(profile, &profile->captures[i]->blocks[j], error);
			if (status != STATUS_OK)
				return status;
		}
	}
	return STATUS_OK;
}
