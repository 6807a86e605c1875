/* SPDX-License-Identifier: MIT */
/*
 * The check that every tick was counted as a sample: samples in the tables + samples outside = ticks. Saturated
 * counters miss increments, a warm reset in the middle of a tick loses its sample, and a target that runs while it is
 * read keeps counting.
 */
#include "capture/capture.h"

#include "capture/count.h"

#include <bareprof/block.h>

/* The number of ticks that may have occurred between reading the header and reading the tables. */
static uint64_t skew_of(const struct capture_block *block)
{
	if (block->has_skew)
		return block->ticks_after - block->ticks_before;
	return block->header.state == BAREPROF_STATE_RUNNING ? UINT32_MAX : 0;
}

static enum capture_balance balance_of(const struct capture_block *block, uint64_t sample_count)
{
	const struct capture_header *header = &block->header;
	const bool is_running = header->state == BAREPROF_STATE_RUNNING || block->earlier_skew > 0;
	/* A block may have been read in the middle of a tick, before its sample was counted. */
	uint64_t uncounted = count_sum(block->merged_count > 0 ? block->merged_count : 1, block->earlier_skew);
	uint64_t lost = count_sum(header->saturated, header->reset_count);

	if (block->is_contradictory)
		return CAPTURE_DOES_NOT_ADD_UP;
	if (sample_count <= header->ticks && header->ticks - sample_count <= lost)
		return CAPTURE_ADDS_UP;
	if (header->ticks >= BAREPROF_COUNTER_LIMIT && sample_count > header->ticks)
		return CAPTURE_ADDS_UP;
	if (is_running && sample_count <= count_sum(header->ticks, skew_of(block)) &&
	    count_sum(count_sum(sample_count, lost), uncounted) >= header->ticks)
		return CAPTURE_ADDS_UP_WITH_SKEW;
	return CAPTURE_DOES_NOT_ADD_UP;
}

struct capture_samples capture_sum_samples(const struct capture_block *block)
{
	struct capture_samples samples = {.outside = block->header.samples_outside};

	for (size_t i = 0; i < block->cell_count; i++) {
		uint64_t *sum = block->cells[i].is_coarse ? &samples.coarse : &samples.fine;

		count_add(sum, block->cells[i].count);
	}
	samples.balance = balance_of(block, count_sum(count_sum(samples.fine, samples.coarse), samples.outside));
	return samples;
}
