/* SPDX-License-Identifier: MIT */
/*
 * The sparse store of samples: a hash table of the granules of code that were seen, and coarse bins for the samples
 * that found it full. Knows nothing of timers. Only the sampling interrupt writes it, so nothing is exclusive.
 */
#include "counter.h"
#include "recorder.h"

/* The work of one sample is bounded; see arcs.c. */
#define PROBES_MAX 16u

static void count_in_coarse_bin(volatile struct header *header, uintptr_t bin)
{
	volatile uint32_t *bins = (volatile uint32_t *)block_section(header, BAREPROF_DIRECTORY_COARSE);

	bareprof_counter_increment(&header->samples_table_full);
	if (!bareprof_counter_increment(&bins[bin]))
		bareprof_counter_increment(&header->saturated);
}

/* slot is taken if the table is full. The secure world is a granule of its own though no range has it. */
static void count_first(volatile struct header *header, volatile struct granule *slot, uintptr_t number, uintptr_t pc)
{
	const uintptr_t bin = bareprof_range_bin(header, pc);

	if (slot->count == 0 && (bin != BIN_NONE || pc == BAREPROF_PC_SECURE)) {
		slot->number = number;
		SLOT_ENTER_CONTEXT(header, slot);
		slot->count = 1;
	} else if (bin != BIN_NONE) {
		count_in_coarse_bin(header, bin);
	} else {
		bareprof_counter_increment(&header->samples_outside);
	}
}

/*
 * Neighbours lie side by side; where two stretches of code meet, the distance between probes depends on both. A free
 * slot holds the number 0, as granule 0 does, hence the look at its count.
 */
void bareprof_granules_count(volatile void *at, uintptr_t pc)
{
	volatile struct header *header = (volatile struct header *)at;
	const struct bareprof_section *section = &bareprof_layout.sections[BAREPROF_DIRECTORY_SAMPLES];
	volatile struct granule *granules = (volatile struct granule *)((volatile uint8_t *)header + section->offset);
	const uintptr_t number = pc >> section->parameter;
	const uint32_t mask = section->capacity - 1u;
	uint32_t index = (uint32_t)number + 4u * BLOCK_CONTEXT(header);
	volatile struct granule *slot;

	for (uint32_t probes = PROBES_MAX; probes != 0; probes--) {
		slot = &granules[index & mask];
		const uint32_t count = slot->count;

		if (count == 0)
			break;
		if (slot->number == number && SLOT_IS_OF_CONTEXT(header, slot)) {
			if (count < BAREPROF_COUNTER_LIMIT)
				slot->count = count + 1;
			else
				bareprof_counter_increment(&header->saturated);
			return;
		}
		index += ((uint32_t)number >> 4) | 1u;
	}
	count_first(header, slot, number, pc);
}
