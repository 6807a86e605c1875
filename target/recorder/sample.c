/* SPDX-License-Identifier: MIT */
/*
 * A tick whose interrupt the handler has already acknowledged: its timer has a fixed period, or the handler drew the
 * next distance itself.
 */
#include "recorder.h"

static void acknowledged(uint32_t clock_units)
{
	(void)clock_units;
}

/* Restores the random number, which only a handler that dithers draws. With such a handler the recorder does not know
 * the timer's current distance, so it restores the cost of a tick as well. */
void bareprof_sample(uintptr_t interrupted_pc)
{
	volatile struct header *header = block_header();

	if (!block_is_initialised(header))
		return;
	const uint32_t random = header->random;
	const uint32_t tick_cost = header->tick_cost;
	const bool may_be_timed = block_state(header) == BAREPROF_STATE_RUNNING;

	bareprof_tick(interrupted_pc, acknowledged);
	header->random = random;
	if (may_be_timed && random != 0)
		header->tick_cost = tick_cost;
}
