/* SPDX-License-Identifier: MIT */
/*
 * Slots of 8 bytes: caller and callee as 16-bit offsets in halfwords from the start of the text, in one word, and the
 * count. The word is claimed in one step, so no slot is ever without its key. Reaches 128 KB of code; calls from and to
 * code elsewhere (RAM, a boot ROM, the hardware) are dropped.
 */
#include "alternative.h"

#define REACH      0x20000u
#define PROBES_MAX 64u

struct packed_arc {
	uint32_t key;
	uint32_t count;
};

static bool slot_is_of(volatile struct packed_arc *slot, uint32_t key)
{
	return slot->key == key || (slot->key == 0 && isa_replace(&slot->key, 0, key)) || slot->key == key;
}

void alternative_count(volatile struct header *header, uintptr_t caller, uintptr_t callee)
{
	volatile struct packed_arc *arcs = (volatile struct packed_arc *)(header + 1);
	const uintptr_t base = (uintptr_t)bareprof_text_start + 1u;
	const uint32_t from = (uint32_t)(caller - base);
	const uint32_t to = (uint32_t)(callee - base);
	uint32_t hash = from + to;

	for (uint32_t probes = (from | to) < REACH ? PROBES_MAX : 0; probes != 0; probes--) {
		volatile struct packed_arc *slot = &arcs[(hash & bareprof_layout.arc_mask) / 4u];

		if (slot_is_of(slot, from << 15 | to >> 1)) {
			if (!bareprof_counter_increment(&slot->count))
				bareprof_counter_increment(&header->saturated);
			return;
		}
		hash += from << 2 | 4u;
	}
	bareprof_counter_increment(&header->arcs_dropped);
}
