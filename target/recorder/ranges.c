/* SPDX-License-Identifier: MIT */
/* Which code is sampled and how finely: the ranges share the bins at one scale. Knows nothing of samples. */
#include "recorder.h"

#define SHIFT_MIN 1u
#define SHIFT_MAX 31u

static void range_add(volatile struct header *header, uint32_t *count, const char *start, const char *end)
{
	if (start == NULL || (uintptr_t)end <= (uintptr_t)start)
		return;
	header->ranges[*count].start = (uintptr_t)start;
	header->ranges[*count].end = (uintptr_t)end;
	++*count;
}

/* Those in use first; without any, the text that the linker fragment bounds. */
static uint32_t ranges_collect(volatile struct header *header)
{
	const struct bareprof_range *given = bareprof_layout.config.ranges;
	uint32_t count = 0;

	for (unsigned i = 0; i < BAREPROF_RANGE_CAPACITY; i++)
		range_add(header, &count, given[i].start, given[i].end);
	if (count == 0)
		range_add(header, &count, bareprof_text_start, bareprof_text_end);
	return count;
}

/* No range is empty; a bin at the end of one may cover less than the others. */
static uintptr_t bins_needed(const volatile struct header *header, uint32_t range_count, unsigned shift)
{
	uintptr_t bins = 0;

	for (uint32_t i = 0; i < range_count; i++)
		bins += ((header->ranges[i].end - header->ranges[i].start - 1) >> shift) + 1;
	return bins;
}

/* At the coarsest scale a bin covers 2 GB, so the fewest bins there can be suffice for all code there can be. */
void bareprof_ranges_describe(volatile struct header *header)
{
	const uint32_t range_count = ranges_collect(header);
	unsigned shift = SHIFT_MIN;

	while (shift < SHIFT_MAX && bins_needed(header, range_count, shift) > bareprof_layout.bin_capacity)
		shift++;

	volatile struct section *ranges = &header->directory[DIRECTORY_RANGES];
	ranges->kind = BAREPROF_SECTION_RANGES;
	ranges->item_size = sizeof(struct range);
	ranges->offset = BAREPROF_OFFSET_RANGES;
	ranges->capacity = BAREPROF_RANGE_CAPACITY;
	ranges->used = range_count;

	volatile struct section *bins = &header->directory[DIRECTORY_BINS];
	bins->kind = BAREPROF_SECTION_BINS;
	bins->parameter = (uint8_t)shift;
	bins->item_size = sizeof(uint16_t);
	bins->offset = (uint32_t)(HEADER_SIZE + bareprof_layout.arc_capacity * sizeof(struct arc));
	bins->capacity = bareprof_layout.bin_capacity;
	bins->used = (uint32_t)bins_needed(header, range_count, shift);
}
