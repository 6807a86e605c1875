/* SPDX-License-Identifier: MIT */
/* Which code is sampled, and how the ranges of it share bins at one scale. Knows nothing of what a bin counts. */
#include "recorder.h"

#define SHIFT_MIN 1u
#define SHIFT_MAX 31u

static volatile struct section *scaled_section(volatile struct header *header)
{
	return &header->directory[bareprof_layout.scaled_section];
}

/* The last bin of a range may cover less than the others. What the RAM says may be stale: the capacity in flash has the
 * last word. */
uintptr_t bareprof_range_bin(volatile struct header *header, uintptr_t pc)
{
	const unsigned shift = scaled_section(header)->fixed.parameter & 31u;
	uintptr_t first_bin = 0;

	for (unsigned i = 0; i < BAREPROF_RANGE_CAPACITY; i++) {
		const uintptr_t start = header->ranges[i].start;
		const uintptr_t bytes = header->ranges[i].end - start;
		const bool is_here = pc - start < bytes;
		const uintptr_t bin = first_bin + (((is_here ? pc - start : bytes - 1)) >> shift);

		if (is_here)
			return bin < bareprof_layout.scaled_capacity ? bin : BIN_NONE;
		if (bytes != 0)
			first_bin = bin + 1;
	}
	return BIN_NONE;
}

/* Makes the bins so fine that the last byte of all ranges still has one. At the coarsest scale a bin covers 2 GB, so
 * the fewest bins there can be suffice for all code there can be. */
static void bins_scale(struct header *header, uintptr_t last_byte)
{
	volatile struct section *scaled = scaled_section(header);
	uintptr_t bin;

	scaled->fixed.parameter = SHIFT_MIN;
	while (bin = bareprof_range_bin(header, last_byte), bin == BIN_NONE && scaled->fixed.parameter < SHIFT_MAX)
		scaled->fixed.parameter++;
	scaled->used = (uint32_t)bin + 1;
}

void bareprof_ranges_describe(struct header *header)
{
	const struct bareprof_range *given = bareprof_layout.config.ranges;
	uintptr_t last_byte = (uintptr_t)bareprof_text_end - 1;

	uint32_t count = 0;

	header->ranges[0].start = (uintptr_t)bareprof_text_start;
	header->ranges[0].end = (uintptr_t)bareprof_text_end;
	for (; count < BAREPROF_RANGE_CAPACITY && given[count].end > given[count].start; count++) {
		header->ranges[count].start = (uintptr_t)given[count].start;
		header->ranges[count].end = (uintptr_t)given[count].end;
		last_byte = (uintptr_t)given[count].end - 1;
	}
	header->directory[BAREPROF_DIRECTORY_RANGES].used = count != 0 ? count : 1;
	bins_scale(header, last_byte);
}
