/* SPDX-License-Identifier: MIT */
/*
 * The dense store of samples: one 16-bit counter per 2^n bytes of code, the classic histogram. Knows nothing of timers.
 * Only the sampling interrupt writes the bins, so they need no exclusive access.
 */
#include "counter.h"
#include "recorder.h"

#define BIN_MAX 0xFFFFu

/* Bins of a range of so many bytes: the last may cover less. */
static uintptr_t bins_of(uintptr_t bytes, unsigned shift)
{
	return bytes == 0 ? 0 : ((bytes - 1) >> shift) + 1;
}

/* The bins of the ranges follow one another. Returns the bin of pc; bin_capacity or more if it has none. What the RAM
 * says may be stale, so the shift is cut to what can be shifted by and the caller checks the result. */
static uintptr_t bin_of(const volatile struct header *header, uintptr_t pc)
{
	const unsigned shift = header->directory[DIRECTORY_BINS].parameter & 31u;
	uintptr_t first_bin = 0;

	for (unsigned i = 0; i < BAREPROF_RANGE_CAPACITY; i++) {
		const uintptr_t start = header->ranges[i].start;
		const uintptr_t bytes = header->ranges[i].end - start;

		if (pc - start < bytes)
			return first_bin + ((pc - start) >> shift);
		first_bin += bins_of(bytes, shift);
	}
	return UINTPTR_MAX;
}

void bareprof_dense_count(uintptr_t pc)
{
	volatile struct header *header = block_header();
	const uintptr_t bin = bin_of(header, pc);

	if (bin >= bareprof_layout.bin_capacity) {
		counter_add(&header->samples_outside, 1);
		return;
	}
	const uint16_t count = block_bins()[bin];
	if (count == BIN_MAX)
		counter_add(&header->saturated, 1);
	else
		block_bins()[bin] = (uint16_t)(count + 1u);
}
