/* SPDX-License-Identifier: MIT */
/*
 * The dense store of samples: one 16-bit counter per 2^n bytes of code, the classic histogram. Knows nothing of timers.
 * Only the sampling interrupt writes the bins, so they need no exclusive access.
 */
#include "counter.h"
#include "recorder.h"

#define BIN_MAX 0xFFFFu

void bareprof_bins_count(uintptr_t pc)
{
	volatile struct header *header = block_header();
	volatile uint16_t *bins = (volatile uint16_t *)block_samples(header);
	const uintptr_t bin = bareprof_range_bin(header, &header->directory[DIRECTORY_SAMPLES], pc);

	if (bin >= bareprof_layout.sample_capacity)
		counter_increment_alone(&header->samples_outside);
	else if (bins[bin] == BIN_MAX)
		counter_increment(&header->saturated);
	else
		bins[bin] = (uint16_t)(bins[bin] + 1u);
}

void bareprof_bins_describe(volatile void *at)
{
	volatile struct header *header = (volatile struct header *)at;
	volatile struct section *bins = &header->directory[DIRECTORY_SAMPLES];

	section_describe(bins, BAREPROF_SECTION_BINS, sizeof(uint16_t), block_samples_offset(),
	                 bareprof_layout.sample_capacity);
	bareprof_range_scale(header, bins);
}
