/* SPDX-License-Identifier: MIT */
/* What the hooks of the alternatives call where they do not find the arc at once. */
#include "alternative.h"

/* As in the library. */
static bool trigger_fires(const volatile struct header *header, uintptr_t callee)
{
	const uint32_t start = header->trigger_start;

	if ((uint32_t)callee - start >= header->trigger_end - start)
		return false;
	bareprof_start();
	return true;
}

void bareprof_arc(uintptr_t call_site, uintptr_t callee)
{
	volatile struct header *header = block_header();
	const uint32_t state = block_state(header);

	if (state > BAREPROF_STATE_ARMED || (state == BAREPROF_STATE_ARMED && !trigger_fires(header, callee)))
		return;
	alternative_count(header, call_site, callee);
}
