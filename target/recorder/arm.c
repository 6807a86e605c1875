/* SPDX-License-Identifier: MIT */
/* bareprof_arm(): arms the profile from firmware; hosts arm it by commands. */
#include "recorder.h"

BAREPROF_CODE(bareprof_arm) void bareprof_arm(const void *function, uint32_t size, uint32_t ticks)
{
	volatile struct trigger *trigger = &block_header()->trigger;
	const uint32_t start = (uint32_t)(uintptr_t)function & ~1u;

	KEEP_ADDRESS(trigger);
	if (!bareprof_state_change(TRANSITION_STOP))
		return;
	trigger->start = start;
	trigger->end = start + size;
	trigger->window = ticks;
	bareprof_state_change(TRANSITION_ARM);
}
