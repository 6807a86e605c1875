/* SPDX-License-Identifier: MIT */
/*
 * The sparse store of samples: a hash table of the granules of code that were seen, and coarse bins for the samples
 * that found it full. Knows nothing of timers. Only the sampling interrupt writes it, so nothing is exclusive.
 */
#include "counter.h"
#include "recorder.h"

/* The work of one sample is bounded; see arcs.c. */
#define PROBES_MAX 16u

static volatile uint32_t *coarse_bins(volatile struct header *header)
{
	return (volatile uint32_t *)((volatile struct granule *)block_samples(header) +
	                             bareprof_layout.sample_capacity);
}

static void count_in_coarse_bin(volatile struct header *header, uintptr_t bin)
{
	counter_increment_alone(&header->samples_table_full);
	if (!counter_increment_alone(&coarse_bins(header)[bin]))
		counter_increment(&header->saturated);
}

/* slot is NULL if the table is full. The secure world is a granule of its own though no range has it. */
static void count_first(volatile struct header *header, volatile struct granule *slot, uintptr_t pc)
{
	const uintptr_t bin = bareprof_range_bin(header, &header->directory[DIRECTORY_COARSE], pc);
	const bool is_inside = bin < bareprof_layout.coarse_capacity;

	if (slot != NULL && (is_inside || pc == BAREPROF_PC_SECURE)) {
		slot->number = pc >> bareprof_layout.granule_shift;
		SLOT_ENTER_CONTEXT(header, slot);
		slot->count = 1;
		header->directory[DIRECTORY_SAMPLES].used++;
	} else if (is_inside) {
		count_in_coarse_bin(header, bin);
	} else {
		counter_increment_alone(&header->samples_outside);
	}
}

/* Neighbours lie side by side; where two stretches of code meet, the distance between probes depends on both. */
void bareprof_granules_count(uintptr_t pc)
{
	volatile struct header *header = block_header();
	volatile struct granule *granules = (volatile struct granule *)block_samples(header);
	const uintptr_t number = pc >> bareprof_layout.granule_shift;
	const uint32_t mask = bareprof_layout.sample_capacity - 1u;
	uint32_t index = (uint32_t)number + 4u * BLOCK_CONTEXT(header);

	for (uint32_t probes = PROBES_MAX; probes != 0; probes--) {
		volatile struct granule *slot = &granules[index & mask];

		if (slot->count == 0) {
			count_first(header, slot, pc);
			return;
		}
		if (slot->number == number && SLOT_IS_OF_CONTEXT(header, slot)) {
			if (!counter_increment_alone(&slot->count))
				counter_increment(&header->saturated);
			return;
		}
		index += ((uint32_t)number >> 4) | 1u;
	}
	count_first(header, NULL, pc);
}

void bareprof_granules_describe(volatile void *at)
{
	volatile struct header *header = (volatile struct header *)at;
	const uint32_t capacity = bareprof_layout.sample_capacity;
	const uint32_t offset = block_samples_offset();
	volatile struct section *granules = &header->directory[DIRECTORY_SAMPLES];

	section_describe(granules, BAREPROF_SECTION_GRANULES, sizeof(struct granule), offset, capacity);
	granules->parameter = bareprof_layout.granule_shift;
	section_describe(&header->directory[DIRECTORY_COARSE], BAREPROF_SECTION_COARSE, sizeof(uint32_t),
	                 offset + capacity * (uint32_t)sizeof(struct granule), bareprof_layout.coarse_capacity);
	bareprof_range_scale(header, &header->directory[DIRECTORY_COARSE]);
}
