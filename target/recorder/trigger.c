/* SPDX-License-Identifier: MIT */
/*
 * A profile that waits for a call: armed, it starts when the trigger's function is entered. Knows nothing of tables and
 * of timers.
 */
#include "recorder.h"

bool bareprof_trigger_fires(const volatile struct header *header, uintptr_t callee)
{
	const uint32_t start = header->trigger_start;

	if ((uint32_t)callee - start >= header->trigger_end - start)
		return false;
	bareprof_start();
	return true;
}
