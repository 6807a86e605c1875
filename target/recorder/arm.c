/* SPDX-License-Identifier: MIT */
/* The application arms the profile; the host does so by its commands. Knows nothing of tables and of timers. */
#include "recorder.h"

void bareprof_arm(const void *function, uint32_t size, uint32_t ticks)
{
	volatile struct header *header = block_header();

	if (!block_is_initialised(header))
		return;
	bareprof_stop();
	header->trigger_start = (uint32_t)(uintptr_t)function & ~1u;
	header->trigger_end = header->trigger_start + size;
	header->window = ticks;
	bareprof_state_change(BAREPROF_STATE_STOPPED, BAREPROF_STATE_ARMED);
}
