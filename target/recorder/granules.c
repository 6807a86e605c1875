/* SPDX-License-Identifier: MIT */
/*
 * The sparse store of samples: a hash table of the granules of code that were seen, and coarse bins for the samples
 * that found it full. Knows nothing of timers. Only the sampling interrupt writes it, so nothing is exclusive.
 */
#include "counter.h"
#include "isa.h"
#include "recorder.h"

/* The work of one sample is bounded; see arcs.c. */
#define PROBES_MAX 16u

/*
 * Contexts run the same code, one stretch of granules each: they begin far apart and go on at steps of their own. Tried
 * with tables of 128 to 1,024 granules, 30 to 70 % full, of 2 to 8 contexts; side by side and at one step, a third of
 * the granules found no slot in a table that was a quarter full.
 */
#define CONTEXT_DISTANCE 293u
#define CONTEXT_STEP     274u

/* slot is taken if the table is full. The secure world is a granule of its own though no range has it. */
static void count_first(volatile struct header *header, volatile struct granule *slot, uintptr_t number, uintptr_t pc,
                        uint32_t context)
{
	const uintptr_t bin = bareprof_range_bin(header, pc);
	volatile uint32_t *counter = &header->samples_outside;

	if (slot->count == 0 && (bin != BIN_NONE || isa_pc_is_secure(pc))) {
		slot->number = number;
		SLOT_ENTER_CONTEXT(slot, context);
		counter = &slot->count;
	} else if (bin != BIN_NONE) {
		bareprof_counter_increment(&header->samples_table_full);
		counter = (volatile uint32_t *)block_section(header, BAREPROF_DIRECTORY_COARSE) + bin;
	}
	if (!bareprof_counter_increment(counter))
		bareprof_counter_increment(&header->saturated);
}

/*
 * Neighbours lie side by side; where two stretches of code meet, the distance between probes depends on both. A free
 * slot holds the number 0, as granule 0 does, hence the look at its count; one that has counted to the limit is passed
 * by, and its samples go to another slot, or are coarse.
 */
void bareprof_granules_count(uintptr_t pc, volatile void *at)
{
	volatile struct header *header = (volatile struct header *)at;
	const struct bareprof_section *section = &bareprof_layout.sections[BAREPROF_DIRECTORY_SAMPLES];
	const uintptr_t number = pc >> section->parameter;
	const uint32_t context = BLOCK_CONTEXT(header);
	uint32_t index = (uint32_t)number + CONTEXT_DISTANCE * context;
	uint32_t probes = PROBES_MAX;
	volatile struct granule *slot;
	uint32_t count;

	do {
		slot = (volatile struct granule *)block_section(header, BAREPROF_DIRECTORY_SAMPLES) +
		       (index & (section->capacity - 1u));
		count = slot->count;
		if (slot->number == number && SLOT_IS_OF_CONTEXT(slot, context) &&
		    count - 1u < BAREPROF_COUNTER_LIMIT - 1u) {
			slot->count = count + 1u;
			return;
		}
		index += (((uint32_t)number >> 4) + CONTEXT_STEP * context) | 1u;
	} while (count != 0 && --probes != 0);
	count_first(header, slot, number, pc, context);
}
