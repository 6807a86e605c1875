/* SPDX-License-Identifier: MIT */
/*
 * The dense store of samples: one 16-bit counter per 2^n bytes of code, the classic histogram. Only the sampling
 * interrupt writes the bins, so they need no exclusive access.
 */
#include "tick.h"

#define BIN_MAX 0xFFFFu

BAREPROF_CODE(bareprof_bin_count)
static inline __attribute__((always_inline)) void bareprof_bin_count(uintptr_t pc, volatile struct header *header)
{
	volatile uint16_t *bins = (volatile uint16_t *)block_section(header, BAREPROF_DIRECTORY_SAMPLES);
	const uintptr_t bin = bareprof_range_bin(header, pc);

	if (bin == BIN_NONE)
		counter_increment_alone(&header->samples_outside);
	else if (bins[bin] == BIN_MAX)
		bareprof_counter_increment(&header->saturated);
	else
		bins[bin] = (uint16_t)(bins[bin] + 1u);
}

BAREPROF_CODE(bareprof_bins_tick) void bareprof_bins_tick(BAREPROF_TICK_PARAMETERS)
{
	tick(pc, acknowledge, INTERRUPTED, bareprof_bin_count);
}
