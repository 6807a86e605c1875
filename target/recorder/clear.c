/* SPDX-License-Identifier: MIT */
/*
 * Resets: the tables are cleared a slice per tick, so that no tick takes long. Knows nothing of who asked.
 *
 * The gate is closed meanwhile. The first step clears nothing: a recorder that was interrupted when the gate closed
 * gets a period to finish, and then finds its slot as it left it.
 */
#include "memory.h"
#include "recorder.h"

#define SLICE_BYTES 256u

bool bareprof_clear_is_under_way(const volatile struct header *header)
{
	return ((header->state - 1u) & STATE_BIT_CLEARING) != 0;
}

static void clear_finish(volatile struct header *header)
{
	header->ticks = 0;
	header->ticks_missed = bareprof_layout.config.counts_missed_ticks ? 0 : BAREPROF_UNKNOWN;
	header->samples_outside = 0;
	header->samples_table_full = 0;
	header->arcs_dropped = 0;
	header->saturated = 0;
	header->reset_count = 0;
	header->directory[DIRECTORY_ARCS].used = 0;
	if (bareprof_layout.coarse_capacity != 0)
		header->directory[DIRECTORY_SAMPLES].used = 0;
	header->cleared = 0;
	header->epoch++;
	bareprof_state_change(STATE_BIT_CLEARING, 0);
}

/* `cleared` is 0 before the first step, then the offset of what is still to be cleared. */
void bareprof_clear_step(volatile struct header *header)
{
	const uint32_t tables = HEADER_SIZE + block_names_size();
	const uint32_t block_size = bareprof_layout.block_size;
	const uint32_t from = header->cleared;

	if (from < tables || from > block_size || from % 4 != 0) {
		header->cleared = tables;
		return;
	}
	const uint32_t left = block_size - from;
	const uint32_t slice = left < SLICE_BYTES ? left : SLICE_BYTES;
	memory_clear_words((volatile uint8_t *)header + from, slice);
	header->cleared = from + slice;
	if (slice == left)
		clear_finish(header);
}
