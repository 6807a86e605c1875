/* SPDX-License-Identifier: MIT */
/* Pass: sums what the captures say was lost. */
#include "analysis/analysis.h"

static void add(uint64_t *sum, uint64_t count)
{
	*sum = profile_add_calls(*sum, count);
}

static void add_skew(struct profile_losses *losses, const struct capture_block *block)
{
	if (!block->has_skew)
		losses->skew_known = false;
	else
		add(&losses->skew, block->ticks_after - block->ticks_before);
}

static void add_block(struct profile_losses *losses, const struct capture_block *block)
{
	const struct capture_header *header = &block->header;
	if (block->is_gmon) {
		losses->blocks_untold++;
		add(&losses->ticks, header->ticks);
		return;
	}
	losses->blocks_told++;
	add(&losses->ticks, header->ticks);
	if (header->ticks_missed == CAPTURE_UNKNOWN)
		losses->ticks_missed_known = false;
	else
		add(&losses->ticks_missed, header->ticks_missed);
	add(&losses->samples_outside, header->samples_outside);
	add(&losses->samples_table_full, header->samples_table_full);
	add(&losses->arcs_dropped, header->arcs_dropped);
	add(&losses->arcs_in_flight, block->arcs_in_flight);
	add(&losses->saturated, header->saturated);
	add(&losses->resets, header->reset_count);
	add(&losses->sections_skipped, block->sections_skipped);
	add_skew(losses, block);
}

void analysis_sum_losses(struct profile *profile)
{
	for (size_t i = 0; i < profile->block_count; i++)
		add_block(&profile->losses, profile->blocks[i]);
}
