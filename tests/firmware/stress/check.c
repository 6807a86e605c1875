/* SPDX-License-Identifier: MIT */
/* The profile block as any reader sees it, by offset, against the firmware's counts. */
#include "check.h"

#include "board.h"
#include "print.h"

#include <bareprof/bareprof.h>

/* A raised count is so close to its maximum or, in every other slot, to the limit at which most counters stop. */
#define COUNT_RAISED(slot) (((slot) % 2u == 0 ? UINT32_MAX : BAREPROF_COUNTER_LIMIT) - 4u)

/* Per arc: the sum of counts_raise(), and the sum of the slots. Both modulo 2^32. */
static uint32_t raised[ARCS];
static uint32_t kept[ARCS];
static uint32_t slots[ARCS];
/* The part of kept that is in slots of the sampling interrupt's context. */
static uint32_t kept_of_sampling[ARCS];

struct section {
	uintptr_t first;
	uint32_t item_size;
	uint32_t capacity;
};

UNINSTRUMENTED static uint32_t word_at(uintptr_t address)
{
	return *(const volatile uint32_t *)address;
}

UNINSTRUMENTED static uint32_t header_word(uint32_t offset)
{
	return word_at((uintptr_t)bareprof_block + offset);
}

/* A section's place in the block; of capacity 0 if there is none of this kind. */
UNINSTRUMENTED static struct section section_of(uint8_t kind)
{
	const uintptr_t block = (uintptr_t)bareprof_block;
	const uint8_t count = *(const volatile uint8_t *)(block + BAREPROF_OFFSET_DIRECTORY_COUNT);

	for (uint32_t i = 0; i < count; i++) {
		const uintptr_t entry = block + BAREPROF_OFFSET_DIRECTORY + i * BAREPROF_ENTRY_SIZE;

		if (*(const volatile uint8_t *)(entry + BAREPROF_ENTRY_KIND) == kind)
			return (struct section){block + word_at(entry + BAREPROF_ENTRY_OFFSET),
			                        *(const volatile uint16_t *)(entry + BAREPROF_ENTRY_ITEM_SIZE),
			                        word_at(entry + BAREPROF_ENTRY_CAPACITY)};
	}
	return (struct section){0, 0, 0};
}

UNINSTRUMENTED static volatile uint32_t *slot_count(uintptr_t slot)
{
	return (volatile uint32_t *)(slot + BAREPROF_ARC_COUNT(sizeof(uintptr_t)));
}

#if BAREPROF_CONTEXTS != 0
#define SLOT_IS_OF_SAMPLING(slot) (*(slot_count(slot) + 1) == CONTEXT_OF_SAMPLING)
#else
#define SLOT_IS_OF_SAMPLING(slot) ((void)(slot), false)
#endif

/* The arc that a slot holds, or ARCS if no such call was made. */
UNINSTRUMENTED static uint32_t slot_arc(uintptr_t slot)
{
	const uintptr_t caller = *(volatile uintptr_t *)(slot + BAREPROF_ARC_CALLER(sizeof(uintptr_t)));
	const uintptr_t callee = *(volatile uintptr_t *)(slot + BAREPROF_ARC_CALLEE(sizeof(uintptr_t)));

	for (uint32_t arc = 0; arc < ARCS; arc++)
		if (arc_keys[arc].caller == caller && (arc_keys[arc].callee ^ callee) < CALLEE_ALIGNMENT)
			return arc;
	return ARCS;
}

UNINSTRUMENTED static bool fail(const char *what, uint32_t is, uint32_t should_be)
{
	print_decimal("not ok calls and ticks are what the firmware counted: ", is);
	board_console_write(what);
	print_decimal(", not ", should_be);
	board_console_write("\n");
	return false;
}

UNINSTRUMENTED void counts_raise(void)
{
	const struct section table = section_of(BAREPROF_SECTION_ARCS);

	for (uint32_t i = 0; i < table.capacity; i++) {
		const uintptr_t slot = table.first + i * table.item_size;
		const uint32_t arc = slot_arc(slot);

		if (*slot_count(slot) == 0 || arc == ARCS)
			continue;
		raised[arc] += COUNT_RAISED(i) - *slot_count(slot);
		*slot_count(slot) = COUNT_RAISED(i);
	}
}

UNINSTRUMENTED static bool collect_slots(void)
{
	const struct section table = section_of(BAREPROF_SECTION_ARCS);

	for (uint32_t arc = 0; arc < ARCS; arc++)
		kept[arc] = slots[arc] = kept_of_sampling[arc] = 0;
	for (uint32_t i = 0; i < table.capacity; i++) {
		const uintptr_t slot = table.first + i * table.item_size;
		const uint32_t arc = slot_arc(slot);

		if (*slot_count(slot) == 0)
			continue;
		if (arc == ARCS)
			return fail(" is the count of an arc that was never made", *slot_count(slot), 0);
		kept[arc] += *slot_count(slot);
		slots[arc]++;
		if (SLOT_IS_OF_SAMPLING(slot))
			kept_of_sampling[arc] += *slot_count(slot);
	}
	return true;
}

/* Whether calls of the sampling interrupt are filed under its context, and no others. */
UNINSTRUMENTED static bool compare_contexts(const struct expectation *expected)
{
	if (BAREPROF_CONTEXTS == 0 || expected->may_drop || expected->may_saturate)
		return true;
	for (uint32_t arc = 0; arc < ARCS; arc++)
		if (kept_of_sampling[arc] != expected->levels[SAMPLING].made[arc])
			return fail(" calls of one arc in the sampling interrupt's context", kept_of_sampling[arc],
			            expected->levels[SAMPLING].made[arc]);
	return true;
}

/* Calls of all arcs that are in no slot. */
UNINSTRUMENTED static bool compare_arcs(const struct expectation *expected, struct tally *tally, uint32_t *missing)
{
	for (uint32_t arc = 0; arc < ARCS; arc++) {
		uint32_t made = 0;

		for (uint32_t level = 0; level < LEVELS; level++)
			made += expected->levels[level].made[arc];
		kept[arc] -= raised[arc];
		raised[arc] = 0;
		if (kept[arc] > made || (kept[arc] < made && !expected->may_drop && !expected->may_saturate)) {
			print_decimal("# arc ", arc);
			print_hexadecimal(": ", arc_keys[arc].caller);
			print_hexadecimal(" to ", arc_keys[arc].callee);
			print_decimal(" in slots: ", slots[arc]);
			board_console_write("\n");
			return fail(" calls of one arc", kept[arc], made);
		}
		*missing += made - kept[arc];
		tally->calls += made;
		tally->claims += slots[arc];
		tally->twins += slots[arc] > 1 ? slots[arc] - 1u : 0;
	}
	return true;
}

UNINSTRUMENTED static bool compare_losses(const struct expectation *expected, struct tally *tally, uint32_t missing)
{
	const uint32_t dropped = header_word(BAREPROF_OFFSET_ARCS_DROPPED);
	const uint32_t saturated = header_word(BAREPROF_OFFSET_SATURATED);

	tally->dropped += dropped;
	tally->saturated += saturated;
	if (dropped + saturated != missing)
		return fail(" calls dropped or saturated", dropped + saturated, missing);
	if (dropped != 0 && !expected->may_drop)
		return fail(" calls dropped", dropped, 0);
	if (saturated != 0 && !expected->may_saturate)
		return fail(" increments saturated", saturated, 0);
	return true;
}

/* The sum of a counter that all items of a section have. */
UNINSTRUMENTED static uint32_t section_sum(uint8_t kind, uint32_t counter_offset)
{
	const struct section section = section_of(kind);
	uint32_t sum = 0;

	for (uint32_t i = 0; i < section.capacity; i++)
		sum += word_at(section.first + i * section.item_size + counter_offset);
	return sum;
}

UNINSTRUMENTED static bool compare_ticks(const struct expectation *expected, struct tally *tally)
{
	const uint32_t ticks = header_word(BAREPROF_OFFSET_TICKS);
	const uint32_t coarse = section_sum(BAREPROF_SECTION_COARSE, 0);
	const uint32_t samples = section_sum(BAREPROF_SECTION_GRANULES, BAREPROF_GRANULE_COUNT(sizeof(uintptr_t))) +
	                         coarse + header_word(BAREPROF_OFFSET_SAMPLES_OUTSIDE);

	tally->ticks += ticks;
	tally->coarse += coarse;
	if (ticks != expected->ticks)
		return fail(" ticks", ticks, expected->ticks);
	if (samples != ticks)
		return fail(" samples", samples, ticks);
	if (coarse != header_word(BAREPROF_OFFSET_SAMPLES_TABLE_FULL))
		return fail(" samples in coarse bins", coarse, header_word(BAREPROF_OFFSET_SAMPLES_TABLE_FULL));
	return true;
}

UNINSTRUMENTED bool profile_check(const struct expectation *expected, struct tally *tally)
{
	uint32_t missing = 0;

	tally->epochs++;
	return collect_slots() && compare_contexts(expected) && compare_arcs(expected, tally, &missing) &&
	       compare_losses(expected, tally, missing) && compare_ticks(expected, tally);
}
