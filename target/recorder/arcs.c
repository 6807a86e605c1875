/* SPDX-License-Identifier: MIT */
/*
 * The table of arcs: (caller, callee) pairs counted in an open-addressed hash table. Knows nothing of compilers' hooks.
 *
 * Any interrupt may come at any instruction and record here too. A free slot (count 0) is claimed by replacing its
 * count by 1 exclusively; then the caller is written and the callee last. Until then the callee is 0, which no real
 * callee is, so others pass the slot by: two slots may come to hold one arc, and decoders add them.
 */
#include "counter.h"
#include "recorder.h"

/* The work of one call is bounded: an arc is at most so many slots away from where its hash points. */
#define PROBES_MAX 64u
#define ARC_MAX    0xFFFFFFFFu

/* Call sites are even addresses and mostly have one callee; those that call through a pointer need the callee too. */
static uint32_t arc_hash(uintptr_t caller, uintptr_t callee)
{
	return (uint32_t)(caller >> 1) ^ (uint32_t)(callee >> 2);
}

static bool slot_claim(volatile struct header *header, volatile struct arc *slot, uintptr_t caller, uintptr_t callee)
{
	if (slot->count != 0 || !isa_replace(&slot->count, 0, 1))
		return false;
	slot->caller = caller;
	slot->callee = callee;
	counter_add(&header->directory[DIRECTORY_ARCS].used, 1);
	return true;
}

/* The callee is looked at first: once it is there, so is the caller. */
static bool slot_hit(volatile struct header *header, volatile struct arc *slot, uintptr_t caller, uintptr_t callee)
{
	if (slot->callee != callee || slot->caller != caller)
		return false;
	if (!counter_increment(&slot->count, ARC_MAX))
		counter_add(&header->saturated, 1);
	return true;
}

void bareprof_arc_count(uintptr_t caller, uintptr_t callee)
{
	volatile struct header *header = block_header();
	const uint32_t mask = bareprof_layout.arc_capacity - 1;
	uint32_t index = arc_hash(caller, callee);
	uint32_t probes = mask < PROBES_MAX ? mask + 1 : PROBES_MAX;

	for (; probes != 0; probes--) {
		volatile struct arc *slot = &block_arcs()[index & mask];

		/* Claiming first: a claim lost to an interrupt may have been lost to this very arc. */
		if (slot_claim(header, slot, caller, callee) || slot_hit(header, slot, caller, callee))
			return;
		index++;
	}
	counter_add(&header->arcs_dropped, 1);
}

void bareprof_arc(uintptr_t call_site, uintptr_t callee)
{
	if (!block_is_recording())
		return;
	if (callee != 0)
		bareprof_arc_count(call_site, callee);
	else
		counter_add(&block_header()->arcs_dropped, 1);
}
