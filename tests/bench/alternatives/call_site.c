/* SPDX-License-Identifier: MIT */
/*
 * One arc per call site: the table is hashed on the caller alone, and the slot says which callee is counted, the first
 * that came. Calls of another one from the same site, as through a pointer, are dropped.
 */
#include "alternative.h"

#define PROBES_MAX 64u

static bool slot_claim(volatile struct arc *slot, uintptr_t caller, uintptr_t callee)
{
	if (slot->count != 0 || !isa_replace(&slot->count, 0, 1))
		return false;
	slot->caller = caller;
	slot->callee = callee;
	return true;
}

void alternative_count(volatile struct header *header, uintptr_t caller, uintptr_t callee)
{
	volatile struct arc *arcs = block_arcs(header);
	uint32_t hash = (uint32_t)caller;

	for (uint32_t probes = PROBES_MAX; probes != 0; probes--) {
		volatile struct arc *slot = &arcs[(hash & bareprof_layout.arc_mask) / 4u];

		if (slot_claim(slot, caller, callee))
			return;
		if (slot->callee != 0 && slot->caller == caller) {
			if (slot->callee == callee && bareprof_counter_increment(&slot->count))
				return;
			break;
		}
		hash += ((uint32_t)caller >> 6 & ~7u) | 4u;
	}
	bareprof_counter_increment(&header->arcs_dropped);
}
