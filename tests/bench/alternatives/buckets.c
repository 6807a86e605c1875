/* SPDX-License-Identifier: MIT */
/* Buckets of four slots: an arc is in any slot of its bucket, or of those that follow when it is full. */
#include "alternative.h"

#define WAYS       4u
#define PROBES_MAX 16u

static bool slot_claim(volatile struct arc *slot, uintptr_t caller, uintptr_t callee)
{
	if (slot->count != 0 || !isa_replace(&slot->count, 0, 1))
		return false;
	slot->caller = caller;
	slot->callee = callee;
	return true;
}

static bool slot_hit(volatile struct header *header, volatile struct arc *slot, uintptr_t caller, uintptr_t callee)
{
	if (slot->callee != callee || slot->caller != caller)
		return false;
	if (!bareprof_counter_increment(&slot->count))
		bareprof_counter_increment(&header->saturated);
	return true;
}

void alternative_count(volatile struct header *header, uintptr_t caller, uintptr_t callee)
{
	const uint32_t mask = bareprof_layout.arc_mask & ~(4u * (WAYS - 1u));
	uint32_t hash = (uint32_t)(caller + callee);

	for (uint32_t probes = PROBES_MAX; probes != 0; probes--) {
		volatile struct arc *bucket = block_arcs(header) + (hash & mask) / 4u;

		for (uint32_t way = 0; way < WAYS; way++)
			if (slot_claim(&bucket[way], caller, callee) || slot_hit(header, &bucket[way], caller, callee))
				return;
		hash += (uint32_t)caller << 4 | 16u;
	}
	bareprof_counter_increment(&header->arcs_dropped);
}
