/* SPDX-License-Identifier: MIT */
/* The sampled ranges of code, which share bins at one scale. */
#include "isa.h"
#include "recorder.h"

/*
 * The finest scale is used at which the bins cover all ranges. At the coarsest, a bin covers 2 GB, so that even the
 * smallest table covers any code.
 */
#define SHIFT_MIN 1u
#define SHIFT_MAX 31u

/* log2 of the bytes per bin, in the entry of the scaled section. */
BAREPROF_INLINE volatile uint8_t *bin_shift(volatile struct header *header)
{
	return &((volatile struct bareprof_section *)offset_by(header, bareprof_layout.scaled_entry))->parameter;
}

/*
 * The last bin of a range may cover less than the others. The values in RAM may be stale, so the capacity in flash
 * decides.
 */
BAREPROF_CODE(bareprof_range_bin) uintptr_t bareprof_range_bin(volatile struct header *header, uintptr_t pc)
{
	const unsigned shift = *bin_shift(header) & SHIFT_MAX;
	volatile struct range *range = header->ranges;
	uintptr_t first_bin = 0;

	KEEP_ADDRESS(range);
	for (unsigned left = BAREPROF_RANGE_CAPACITY; left > 0; left--, range++) {
		const uintptr_t start = range->start;
		const uintptr_t bytes = range->end - start;

		if (pc - start < bytes) {
			first_bin += (pc - start) >> shift;
			return first_bin < bareprof_layout.scaled_capacity ? first_bin : BIN_NONE;
		}
		if (bytes != 0)
			first_bin += ((bytes - 1) >> shift) + 1;
	}
	return BIN_NONE;
}

#ifdef BAREPROF_DROP_IN
/* The end of code, as many linker scripts define it. */
extern const char _etext[] __attribute__((weak));
extern const char __etext[] __attribute__((weak));

/* Memory that holds code begins at a multiple of this on most parts. */
#define MEMORY_ALIGNMENT 0x1000000u

/*
 * If the configuration names no code, all code is sampled. The last range marks this (FORMAT.md, section 4), and the
 * first only bounds the bins. It ends at the linker script's end of code. It starts at the vector table if the code
 * follows it. If the vectors are in RAM, or at an alias of flash such as address 0 of an STM32, it starts where the
 * code's memory does. If the end is unknown, the range is empty.
 */
BAREPROF_INLINE void default_range_describe(struct range *ranges)
{
	const uintptr_t end = (uintptr_t)(_etext != NULL ? _etext : __etext);
	const uintptr_t memory = end & ~(uintptr_t)(MEMORY_ALIGNMENT - 1u);
	const uintptr_t vectors = isa_image_start();

	ranges[0].start = memory <= vectors && vectors < end ? vectors : memory;
	ranges[0].end = end;
	ranges[BAREPROF_RANGE_CAPACITY - 1].start = RANGE_OF_ALL;
	ranges[BAREPROF_RANGE_CAPACITY - 1].end = RANGE_OF_ALL;
}
#else
BAREPROF_INLINE void default_range_describe(struct range *ranges)
{
	ranges[0].start = (uintptr_t)bareprof_text_start;
	ranges[0].end = (uintptr_t)bareprof_text_end;
}
#endif

BAREPROF_CODE(bareprof_ranges_describe) void bareprof_ranges_describe(struct header *header)
{
	volatile uint8_t *shift = bin_shift(header);
	struct range *ranges = header->ranges;

	KEEP_ADDRESS(ranges);
	bareprof_memory_copy(ranges, bareprof_layout.config.ranges, sizeof header->ranges);
	if (ranges[0].end == 0)
		default_range_describe(ranges);
	*shift = SHIFT_MIN;
	for (unsigned i = 0; i < BAREPROF_RANGE_CAPACITY; i++)
		while (ranges[i].end > ranges[i].start && *shift < SHIFT_MAX &&
		       bareprof_range_bin(header, ranges[i].end - 1) == BIN_NONE)
			*shift = (uint8_t)(*shift + 1u);
}
