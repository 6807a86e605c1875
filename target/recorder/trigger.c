/* SPDX-License-Identifier: MIT */
/*
 * A profile that waits for a call: armed, it starts when the trigger's function is entered. Knows nothing of tables and
 * of timers.
 */
#include "recorder.h"

void bareprof_arm(const void *function, uint32_t size, uint32_t ticks)
{
	volatile struct header *header = block_header();

	if (!block_is_initialised(header))
		return;
	bareprof_stop();
	header->trigger_start = (uintptr_t)function & ~(uintptr_t)1;
	header->trigger_end = header->trigger_start + size;
	bareprof_arm_for(ticks);
}

void bareprof_arm_for(uint32_t ticks)
{
	block_header()->window = ticks;
	bareprof_state_change(STATE_BIT_RUNNING, STATE_BIT_ARMED);
}

bool bareprof_trigger_fires(uintptr_t callee)
{
	const volatile struct header *header = block_header();
	const uintptr_t start = header->trigger_start;

	if (callee - start >= header->trigger_end - start)
		return false;
	bareprof_state_change(STATE_BIT_ARMED, STATE_BIT_RUNNING);
	return true;
}
