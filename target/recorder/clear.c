/* SPDX-License-Identifier: MIT */
/*
 * Resets: clears the tables in parts, one per tick, so that no tick takes long.
 *
 * The gate stays closed meanwhile. The first step clears nothing: a call that was being recorded when the gate closed
 * has one period to finish, and still finds its slot unchanged.
 */
#include "paths.h"

/* The maximum size of a part; the first part may be smaller. */
#define PART_BYTES 256u

/* Names are kept. Contexts are few, so their counts need no steps of their own. */
BAREPROF_INLINE void clear_switches(volatile struct header *header)
{
#if BAREPROF_CONTEXTS != 0
	const uint32_t others = context_capacity();

	for (uint32_t context = 0; context <= others; context++)
		block_contexts(header)[context].switches = 0;
	block_contexts(header)[others].refused = 0;
#else
	(void)header;
#endif
}

BAREPROF_INLINE void clear_finish(volatile struct header *header)
{
	clear_switches(header);
	bareprof_memory_clear(&header->reset_count, sizeof(uint32_t) * 7); /* to saturated */
	header->ticks_missed = ticks_missed_at_first();
	/* The clock may have changed, and the cost with it. */
#if BAREPROF_STACKS != 0
	bareprof_memory_clear(&header->tick_cost, sizeof(uint32_t) * (1 + BAREPROF_STACK_TOTALS)); /* to stack_totals */
#else
	header->tick_cost = 0;
#endif
#if BAREPROF_PATHS != 0
	header->stack_totals[BAREPROF_STACK_TOTAL_TABLE_CRC] = bareprof_paths_table_crc(header);
#endif
	header->epoch++;
	bareprof_state_change(TRANSITION_CLEARED);
}

BAREPROF_CODE(bareprof_clear_step) void bareprof_clear_step(volatile struct header *header)
{
	volatile uint8_t *end = (volatile uint8_t *)header + bareprof_layout.block_size;
	const uint32_t tables = bareprof_layout.block_size - bareprof_layout.sections[BAREPROF_DIRECTORY_ARCS].offset;
	uint32_t left = header->left_to_clear & ~3u;
	const uint32_t part = ((left - 1u) & (PART_BYTES - 1u)) + 1u;

	if (left - 1u >= tables) {
		header->left_to_clear = tables;
		return;
	}
	bareprof_memory_clear(end - left, part);
	left -= part;
	header->left_to_clear = left;
	if (left == 0)
		clear_finish(header);
}
