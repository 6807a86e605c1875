/* SPDX-License-Identifier: MIT */
/*
 * The sparse store of samples: a hash table of the sampled granules of code, and coarse bins for samples that find the
 * table full. Only the sampling interrupt writes to it, so it needs no exclusive access.
 */
#include "isa.h"
#include "tick.h"

/*
 * Files a sample whose granule has no slot yet: in `slot` if that is free, otherwise in a coarse bin, or as outside all
 * ranges. Code without a bin still gets a slot if it is Secure, or if no range is named.
 */
BAREPROF_CODE(bareprof_granule_claim)
static __attribute__((noinline)) void
bareprof_granule_claim(volatile struct header *header, volatile struct granule *slot, uintptr_t number, uintptr_t pc)
{
	const uintptr_t bin = bareprof_range_bin(header, pc);
	volatile uint32_t *counter = &header->samples_outside;

	if ((bin != BIN_NONE || isa_pc_is_secure(pc) || !ranges_are_named()) && slot->count == 0) {
		slot->number = number;
		SLOT_ENTER_CONTEXT(slot, BLOCK_CONTEXT(header));
		counter = &slot->count;
	} else if (bin != BIN_NONE) {
		bareprof_counter_increment(&header->samples_table_full);
		counter = (volatile uint32_t *)block_section(header, BAREPROF_DIRECTORY_COARSE) + bin;
	}
	if (!bareprof_counter_increment(counter))
		bareprof_counter_increment(&header->saturated);
}

/*
 * Neighbouring granules have adjacent slots; where two regions of code collide, the distance between probes depends on
 * both. Free slots and granule 0 both have the number 0, so the count is tested as well. A slot that has reached the
 * limit is skipped; further samples go to another slot or to a coarse bin.
 */
BAREPROF_CODE(bareprof_granule_count)
static inline __attribute__((always_inline)) void bareprof_granule_count(uintptr_t pc, volatile struct header *header)
{
	const struct bareprof_section *section = &bareprof_layout.sections[BAREPROF_DIRECTORY_SAMPLES];

	KEEP_ADDRESS(section);

	const uintptr_t number = pc >> section->parameter;
	const uint32_t context = BLOCK_CONTEXT(header);
	const uint32_t mask = section->capacity - 1u;
	volatile struct granule *slots = offset_by(header, section->offset);
	uint32_t index = ((uint32_t)number + CONTEXT_DISTANCE * context) & mask;
	uint32_t probes = GRANULE_PROBES_MAX;
	volatile struct granule *slot;
	uint32_t taken;

	do {
		slot = &slots[index];
		taken = slot->count;
		if (slot->number == number && SLOT_IS_OF_CONTEXT(slot, context) &&
		    taken - 1u < BAREPROF_COUNTER_LIMIT - 1u) {
			slot->count = taken + 1u;
			return;
		}
		index = (index + ((((uint32_t)number >> 4) + CONTEXT_STEP * context) | 1u)) & mask;
	} while (taken != 0 && --probes != 0);
	bareprof_granule_claim(header, slot, number, pc);
}

BAREPROF_CODE(bareprof_granules_tick) void bareprof_granules_tick(BAREPROF_TICK_PARAMETERS)
{
	tick(pc, acknowledge, INTERRUPTED, bareprof_granule_count);
}
