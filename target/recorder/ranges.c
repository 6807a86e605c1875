/* SPDX-License-Identifier: MIT */
/* Which code is sampled, and how the ranges of it share bins at one scale. Knows nothing of what a bin counts. */
#include "recorder.h"

#define SHIFT_MIN 1u
#define SHIFT_MAX 31u

static void range_add(volatile struct header *header, const char *start, const char *end)
{
	volatile struct section *ranges = &header->directory[DIRECTORY_RANGES];

	if ((uintptr_t)end <= (uintptr_t)start)
		return;
	header->ranges[ranges->used].start = (uintptr_t)start;
	header->ranges[ranges->used].end = (uintptr_t)end;
	ranges->used++;
}

/* Those in use first; without any, the text that the linker fragment bounds. */
void bareprof_ranges_describe(volatile struct header *header)
{
	const struct bareprof_range *given = bareprof_layout.config.ranges;
	volatile struct section *ranges = &header->directory[DIRECTORY_RANGES];

	section_describe(ranges, BAREPROF_SECTION_RANGES, sizeof(struct range), offsetof(struct header, ranges),
	                 BAREPROF_RANGE_CAPACITY);
	for (unsigned i = 0; i < BAREPROF_RANGE_CAPACITY; i++)
		range_add(header, given[i].start, given[i].end);
	if (ranges->used == 0)
		range_add(header, bareprof_text_start, bareprof_text_end);
}

/* Bins of a range of so many bytes: the last may cover less. */
static uintptr_t bins_of(uintptr_t bytes, unsigned shift)
{
	return bytes == 0 ? 0 : ((bytes - 1) >> shift) + 1;
}

static uintptr_t bins_needed(const volatile struct header *header, unsigned shift)
{
	uintptr_t bins = 0;

	for (unsigned i = 0; i < BAREPROF_RANGE_CAPACITY; i++)
		bins += bins_of(header->ranges[i].end - header->ranges[i].start, shift);
	return bins;
}

/* At the coarsest scale a bin covers 2 GB, so the fewest bins there can be suffice for all code there can be. */
void bareprof_range_scale(const volatile struct header *header, volatile struct section *bins)
{
	unsigned shift = SHIFT_MIN;

	while (shift < SHIFT_MAX && bins_needed(header, shift) > bins->capacity)
		shift++;
	bins->parameter = (uint8_t)shift;
	bins->used = (uint32_t)bins_needed(header, shift);
}

uintptr_t bareprof_range_bin(const volatile struct header *header, const volatile struct section *bins, uintptr_t pc)
{
	const unsigned shift = bins->parameter & 31u;
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
