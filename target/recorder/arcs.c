/* SPDX-License-Identifier: MIT */
/*
 * The table of arcs: (caller, callee) pairs counted in an open-addressed hash table.
 *
 * Any interrupt may come at any instruction and record here too. A free slot (count 0) is claimed by an exclusive
 * replacement of its count by 1; then the caller is written, and the callee last. Until then the callee is 0, which no
 * real callee is, so interrupts skip the slot. As a result two slots may hold one arc; decoders add their counts.
 *
 * The hooks in target/isa/ search the table themselves, in the order that arc_count() defines, and call this when they
 * did not find the arc or could not count it.
 */
#include "counter.h"
#include "isa.h"
#include "recorder.h"

/*
 * Bounds the work of one call. With this many probes, only one call in a thousand fails to find a free slot in a table
 * that is nine tenths full.
 */
#define PROBES_MAX 64u

/* Converts a masked hash, which counts in units of 4, to the offset of a slot in bytes: one instruction on any core. */
#define SLOT_FACTOR (sizeof(struct arc) / 4)

BAREPROF_INLINE bool slot_claim(volatile struct arc *slot, uintptr_t caller, uintptr_t callee, uint32_t context)
{
	if (slot->count != 0 || !isa_replace(&slot->count, 0, 1))
		return false;
	SLOT_ENTER_CONTEXT(slot, context);
	slot->caller = caller;
	slot->callee = callee;
	return true;
}

/* The callee is compared first: once it is written, all other words are. */
BAREPROF_INLINE bool slot_hit(volatile struct header *header, volatile struct arc *slot, uintptr_t caller,
                              uintptr_t callee, uint32_t context)
{
	if (slot->callee != callee || slot->caller != caller || !SLOT_IS_OF_CONTEXT(slot, context))
		return false;
	if (!bareprof_counter_increment(&slot->count))
		bareprof_counter_increment(&header->saturated);
	return true;
}

/*
 * Double hashing (Knuth, The Art of Computer Programming 3, 6.4, algorithm D): the sum of the two addresses gives the
 * first slot, and the caller, which is independent of the sum, the odd distance between probes. Return addresses of
 * Thumb code are odd, so the hooks for Arm use the caller as it is. An arc whose caller is even (a task that begins
 * with LR = 0) is found only here.
 */
BAREPROF_INLINE void arc_count(volatile struct header *header, uintptr_t caller, uintptr_t callee)
{
	volatile struct arc *arcs = block_arcs(header);
	const uint32_t step = (uint32_t)caller << 2 | 4u;
	const uint32_t context = BLOCK_CONTEXT(header);
	uint32_t hash = (uint32_t)(caller + callee) + 4u * context;

	for (uint32_t probes = PROBES_MAX; probes != 0; probes--) {
		volatile struct arc *slot = offset_by(arcs, (hash & bareprof_layout.arc_mask) * SLOT_FACTOR);

		/* Claim first: if a claim was lost to an interrupt, the slot may now hold this very arc. */
		if (slot_claim(slot, caller, callee, context) || slot_hit(header, slot, caller, callee, context))
			return;
		hash += step;
	}
	bareprof_counter_increment(&header->arcs_dropped);
}

/*
 * Whether a call of callee starts the armed profile. If so, it has been started, unless an interrupt has stopped it
 * since.
 */
BAREPROF_INLINE bool trigger_fires(const volatile struct header *header, uintptr_t callee)
{
	const uint32_t start = header->trigger.start;

	if ((uint32_t)callee - start >= header->trigger.end - start)
		return false;
	bareprof_state_change(TRANSITION_FIRE);
	return true;
}

BAREPROF_CODE(bareprof_arc) void bareprof_arc(uintptr_t call_site, uintptr_t callee)
{
	volatile struct header *header = block_header();
	const uint32_t state = block_state(header);

	if (state > BAREPROF_STATE_ARMED || (state == BAREPROF_STATE_ARMED && !trigger_fires(header, callee)))
		return;
	if (callee != 0)
		arc_count(header, call_site, callee);
	else
		bareprof_counter_increment(&header->arcs_dropped);
}
