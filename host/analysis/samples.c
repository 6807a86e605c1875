/* SPDX-License-Identifier: MIT */
/*
 * Pass: assigns samples to functions. A cell of samples that several functions overlap is shared among them by the
 * bytes of each that it covers (overlap scaling, as in gprof); bytes that belong to no function do not count when there
 * is a function in the cell, because padding does not run. Coarse bins are shared by nobody.
 */
#include "analysis/analysis.h"

/* How much of the cell the image's function covers. */
static uint64_t overlap(const struct image_function *function, const struct capture_cell *cell)
{
	uint64_t low = function->start > cell->low ? function->start : cell->low;
	uint64_t high = function->end < cell->high ? function->end : cell->high;
	return high > low ? high - low : 0;
}

/* Samples for one node. variance: of their number, counting statistics apart. */
struct credit {
	double samples, variance;
	double sample_time;
};

static enum status credit_node(struct profile *profile, size_t index, const struct credit *credit, struct error *error)
{
	if (index == PROFILE_NONE)
		return status_fail(error, "%s: out of memory for the rows of the profile", profile->image->path);
	struct profile_node *node = &profile->nodes[index];
	node->self_samples += credit->samples;
	node->self_time += credit->samples * credit->sample_time;
	node->self_variance += (credit->samples + credit->variance) * credit->sample_time * credit->sample_time;
	profile->total_samples += credit->samples;
	profile->total_time += credit->samples * credit->sample_time;
	return STATUS_OK;
}

static enum status credit_kind(struct profile *profile, enum profile_node_kind kind, uint64_t count, double sample_time,
                               struct error *error)
{
	const struct credit credit = {.samples = (double)count, .sample_time = sample_time};
	return credit_node(profile, profile_node_of_kind(profile, kind), &credit, error);
}

/* The functions that overlap a cell, and how many of its bytes they cover together. */
struct coverage {
	size_t first, end; /* indices of functions, end not included */
	uint64_t bytes;
};

static struct coverage cover_cell(const struct image *image, const struct capture_cell *cell)
{
	struct coverage coverage = {.first = image_first_function_behind(image, cell->low)};
	coverage.end = coverage.first;
	while (coverage.end < image->function_count && image->functions[coverage.end].start < cell->high)
		coverage.bytes += overlap(&image->functions[coverage.end++], cell);
	return coverage;
}

/* Two functions of the recorder are one row, and so do not share. */
static bool is_shared(const struct profile *profile, const struct coverage *coverage)
{
	for (size_t i = coverage->first + 1; i < coverage->end; i++)
		if (profile->nodes[i].kind != PROFILE_BAREPROF || profile->nodes[i - 1].kind != PROFILE_BAREPROF)
			return true;
	return false;
}

/*
 * A function's share of a cell. Which of the functions in a shared bin really ran is not known: its samples may all be
 * of any one of them, the likelier the more bytes it covers, and that doubt is part of the error.
 */
static struct credit share_of_cell(const struct capture_cell *cell, double share, bool shared, double sample_time)
{
	double count = (double)cell->count;
	return (struct credit){
	        .samples = count * share,
	        .variance = shared ? count * count * share * (1 - share) : 0,
	        .sample_time = sample_time,
	};
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

static enum status assign_cell(struct profile *profile, const struct capture_cell *cell, double sample_time,
                               struct error *error)
{
	const struct image *image = profile->image;
	struct coverage coverage = cover_cell(image, cell);
	if (cell->coarse || coverage.bytes == 0) {
		const struct credit all = share_of_cell(cell, 1, false, sample_time);
		return credit_node(profile, node_of_no_function(profile, cell), &all, error);
	}
	bool shared = is_shared(profile, &coverage);
	profile->losses.samples_shared += shared ? cell->count : 0;
	for (size_t i = coverage.first; i < coverage.end; i++) {
		double share = (double)overlap(&image->functions[i], cell) / (double)coverage.bytes;
		const struct credit credit = share_of_cell(cell, share, shared, sample_time);
		size_t node = profile_node_of_function(profile, i);
		enum status status = credit_node(profile, node, &credit, error);
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
	if (block->header.samples_outside == 0 || block->is_part)
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
