/* SPDX-License-Identifier: MIT */
/* Ticks that the hardware merged, for timers that can count them. */
#include "recorder.h"

/* Only the sampling interrupt changes this counter. */
BAREPROF_CODE(bareprof_tick_missed) void bareprof_tick_missed(uint32_t ticks)
{
	volatile struct header *header = block_header();
	const uint32_t missed = header->ticks_missed;

	if (block_state(header) != BAREPROF_STATE_RUNNING || missed >= BAREPROF_COUNTER_LIMIT)
		return;
	header->ticks_missed = ticks < BAREPROF_COUNTER_LIMIT - missed ? missed + ticks : BAREPROF_COUNTER_LIMIT;
}
