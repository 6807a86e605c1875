/* SPDX-License-Identifier: MIT */
/* How a block was sampled: the time of the sampling interrupt, and the distances between samples. */
#include "capture/capture.h"

/* The sampling interrupt never samples itself, so no sample shows its part of the time between two samples. */
enum capture_handler capture_handler_part(const struct capture_block *block, double *part)
{
	const struct capture_header *header = &block->header;
	*part = 0;
	if (header->ticks == 0)
		return CAPTURE_HANDLER_KNOWN;
	if (!block->has_tick_cost || header->period == 0)
		return block->is_sampled ? CAPTURE_HANDLER_KNOWN : CAPTURE_HANDLER_UNKNOWN;
	double handler = (double)block->tick_cost / ((double)header->ticks * header->period);
	if (handler >= 1)
		return CAPTURE_HANDLER_IMPOSSIBLE;
	*part = handler;
	return CAPTURE_HANDLER_KNOWN;
}

const char *capture_distances_name(enum capture_distances distances)
{
	static const char *const names[] = {
	        [CAPTURE_DISTANCES_UNKNOWN] = "unknown",
	        [CAPTURE_DISTANCES_RANDOM] = "random",
	        [CAPTURE_DISTANCES_FIXED] = "fixed",
	};
	return names[distances];
}
