/* SPDX-License-Identifier: MIT */
/* The dense store of samples with counters of 32 bits; else as bins.c. Knows nothing of timers. */
#include "counter.h"
#include "recorder.h"

void bareprof_wide_bins_count(uintptr_t pc, volatile void *at)
{
	volatile struct header *header = (volatile struct header *)at;
	volatile uint32_t *bins = (volatile uint32_t *)block_section(header, BAREPROF_DIRECTORY_SAMPLES);
	const uintptr_t bin = bareprof_range_bin(header, pc);

	if (bin == BIN_NONE)
		counter_increment_alone(&header->samples_outside);
	else if (!counter_increment_alone(&bins[bin]))
		bareprof_counter_increment(&header->saturated);
}
