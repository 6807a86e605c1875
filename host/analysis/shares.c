/* SPDX-License-Identifier: MIT */
/* See shares.h. */
#include "analysis/shares.h"

/* Whom the shares of one capture's block are told. */
struct sharing {
	struct profile *profile;
	share_found found;
	void *context;
	double sample_time;
};

static enum status tell(const struct sharing *sharing, struct share share, struct error *error)
{
	if (share.node == PROFILE_NONE)
		return status_fail(error, "%s: out of memory for the rows of the profile",
		                   sharing->profile->image->path);
	share.sample_time = sharing->sample_time;
	return sharing->found(sharing->context, &share, error);
}

/* The functions that overlap a cell, and how many of its bytes they cover together. */
struct coverage {
	size_t first, end; /* indices of functions, end not included */
	uint64_t bytes;
};

/* The part of the cell that the image's function covers. */
static struct share overlap(const struct image_function *function, const struct capture_cell *cell)
{
	uint64_t low = function->start > cell->low ? function->start : cell->low;
	uint64_t high = function->end < cell->high ? function->end : cell->high;
	return (struct share){.low = low, .high = high > low ? high : low};
}

static struct coverage cover_cell(const struct image *image, const struct capture_cell *cell)
{
	struct coverage coverage = {.first = image_first_function_behind(image, cell->low)};
	coverage.end = coverage.first;
	while (coverage.end < image->function_count && image->functions[coverage.end].start < cell->high) {
		const struct share part = overlap(&image->functions[coverage.end++], cell);
		coverage.bytes += part.high - part.low;
	}
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

double share_doubt(double samples, double fraction)
{
	return samples * samples * fraction * (1 - fraction);
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

static enum status share_cell(const struct sharing *sharing, const struct capture_cell *cell, struct error *error)
{
	struct profile *profile = sharing->profile;
	double count = (double)cell->count;
	struct coverage coverage = cover_cell(profile->image, cell);
	if (cell->coarse || coverage.bytes == 0) {
		const struct share all = {.node = node_of_no_function(profile, cell), .samples = count};
		return tell(sharing, all, error);
	}
	bool shared = is_shared(profile, &coverage);
	for (size_t i = coverage.first; i < coverage.end; i++) {
		struct share share = overlap(&profile->image->functions[i], cell);
		double fraction = (double)(share.high - share.low) / (double)coverage.bytes;
		share.node = profile_node_of_function(profile, i);
		share.samples = count * fraction;
		share.variance = shared ? share_doubt(count, fraction) : 0;
		share.shared_samples = shared && i == coverage.first ? cell->count : 0;
		enum status status = tell(sharing, share, error);
		if (status != STATUS_OK)
			return status;
	}
	return STATUS_OK;
}

static enum status share_block(struct sharing *sharing, const struct capture_block *block, struct error *error)
{
	sharing->sample_time = profile_sample_time(sharing->profile, block);
	for (size_t i = 0; i < block->cell_count; i++) {
		enum status status = share_cell(sharing, &block->cells[i], error);
		if (status != STATUS_OK)
			return status;
	}
	if (block->header.samples_outside == 0 || block->is_part)
		return STATUS_OK;
	const struct share outside = {
	        .node = profile_node_of_kind(sharing->profile, PROFILE_OUTSIDE),
	        .samples = (double)block->header.samples_outside,
	};
	return tell(sharing, outside, error);
}

enum status shares_each(struct profile *profile, share_found found, void *context, struct error *error)
{
	struct sharing sharing = {.profile = profile, .found = found, .context = context};
	for (size_t i = 0; i < profile->capture_count; i++) {
		for (size_t j = 0; j < profile->captures[i]->block_count; j++) {
			enum status status = share_block(&sharing, &profile->captures[i]->blocks[j], error);
			if (status != STATUS_OK)
				return status;
		}
	}
	return STATUS_OK;
}
