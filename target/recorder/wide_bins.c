/* SPDX-License-Identifier: MIT */
/* The dense store of samples with counters of 32 bits; else as bins.c. Knows nothing of timers. */
#include "counter.h"
#include "recorder.h"

void bareprof_wide_bins_count(uintptr_t pc)
{
	volatile struct header *header = block_header();
	volatile uint32_t *bins = (volatile uint32_t *)block_samples(header);
	const uintptr_t bin = bareprof_range_bin(header, &header->directory[DIRECTORY_SAMPLES], pc);

	if (bin >= bareprof_layout.sample_capacity)
		counter_increment_alone(&header->samples_outside);
	else if (!counter_increment_alone(&bins[bin]))
		counter_increment(&header->saturated);
}

void bareprof_wide_bins_describe(volatile void *at)
{
	volatile struct header *header = (volatile struct header *)at;
	volatile struct section *bins = &header->directory[DIRECTORY_SAMPLES];

	section_describe(bins, BAREPROF_SECTION_BINS, sizeof(uint32_t), block_samples_offset(),
	                 bareprof_layout.sample_capacity);
	bareprof_range_scale(header, bins);
}
