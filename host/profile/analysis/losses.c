/* SPDX-License-Identifier: MIT */
/* Pass: adds up the losses that the captures recorded. */
#include "profile/analysis.h"

#include "capture/count.h"

static void add_skew_losses(struct profile_losses *losses, const struct capture_block *block)
{
	if (!block->has_skew)
		losses->skew_known = false;
	else
		count_add(&losses->skew, block->ticks_after - block->ticks_before);
}

static void add_losses_of_capture(struct profile_losses *losses, const struct capture_block *block)
{
	const struct capture_header *header = &block->header;

	count_add(&losses->ticks, header->ticks);
	if (block->is_gmon) {
		losses->blocks_without_losses++;
		return;
	}
	losses->blocks_with_losses++;
	if (header->ticks_missed == CAPTURE_UNKNOWN)
		losses->ticks_missed_known = false;
	else
		count_add(&losses->ticks_missed, header->ticks_missed);
	count_add(&losses->samples_outside, header->samples_outside);
	count_add(&losses->samples_table_full, header->samples_table_full);
	count_add(&losses->arcs_dropped, header->arcs_dropped);
	count_add(&losses->arcs_in_flight, block->arcs_in_flight);
	count_add(&losses->saturated, header->saturated);
	count_add(&losses->resets, header->reset_count);
	count_add(&losses->sections_skipped, block->sections_skipped);
	add_skew_losses(losses, block);
}

void analysis_sum_losses(struct profile *profile)
{
	for (size_t i = 0; i < profile->block_count; i++)
		add_losses_of_capture(&profile->losses, profile->blocks[i]);
}
