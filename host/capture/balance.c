/* SPDX-License-Identifier: MIT */
/*
 * Checks that every tick is in some counter: samples in the tables + samples outside = ticks. Full counters may miss
 * increments, and a target that ran while it was read went on counting.
 */
#include "capture/capture.h"

#include "capture/count.h"

#include <bareprof/block.h>

/* Ticks that may have passed between the reads of header and tables; the last of them may not be filed yet. */
static uint64_t skew_of(const struct capture_block *block)
{
	if (block->has_skew)
		return block->ticks_after - block->ticks_before;
	return block->header.state == BAREPROF_STATE_RUNNING ? UINT32_MAX : 0;
}

static enum capture_balance balance_of(const struct capture_block *block, uint64_t found)
{
	const struct capture_header *header = &block->header;
	const bool is_running = header->state == BAREPROF_STATE_RUNNING;
	/* Each block may have been read in the middle of a tick. */
	uint64_t unfiled = block->merged_count > 0 ? block->merged_count : 1;

	if (block->is_contradictory)
		return CAPTURE_DOES_NOT_ADD_UP;
	if (found <= header->ticks && header->ticks - found <= header->saturated)
		return CAPTURE_ADDS_UP;
	if (header->ticks >= BAREPROF_COUNTER_LIMIT && found > header->ticks)
		return CAPTURE_ADDS_UP;
	if (is_running && found <= count_sum(header->ticks, skew_of(block)) &&
	    count_sum(count_sum(found, header->saturated), unfiled) >= header->ticks)
		return CAPTURE_ADDS_UP_WITH_SKEW;
	return CAPTURE_DOES_NOT_ADD_UP;
}

struct capture_samples capture_sum_samples(const struct capture_block *block)
{
	struct capture_samples samples = {.outside = block->header.samples_outside};

	for (size_t i = 0; i < block->cell_count; i++) {
		uint64_t *sum = block->cells[i].coarse ? &samples.coarse : &samples.fine;

		count_add(sum, block->cells[i].count);
	}
	samples.balance = balance_of(block, count_sum(count_sum(samples.fine, samples.coarse), samples.outside));
	return samples;
}
