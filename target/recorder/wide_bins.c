/* SPDX-License-Identifier: MIT */
/* The dense store of samples with counters of 32 bits; otherwise like bins.c. */
#include "tick.h"

BAREPROF_CODE(bareprof_wide_bin_count)
static inline __attribute__((always_inline)) void bareprof_wide_bin_count(uintptr_t pc, volatile struct header *header)
{
	volatile uint32_t *bins = (volatile uint32_t *)block_section(header, BAREPROF_DIRECTORY_SAMPLES);
	const uintptr_t bin = bareprof_range_bin(header, pc);

	if (bin == BIN_NONE)
		counter_increment_alone(&header->samples_outside);
	else if (!counter_increment_alone(&bins[bin]))
		bareprof_counter_increment(&header->saturated);
}

BAREPROF_CODE(bareprof_wide_bins_tick) void bareprof_wide_bins_tick(BAREPROF_TICK_PARAMETERS)
{
	tick(pc, acknowledge, INTERRUPTED, bareprof_wide_bin_count);
}
