/* SPDX-License-Identifier: MIT */
/*
 * The decision whether a tick keeps a slice, by a reservoir (algorithm R: Knuth, The Art of Computer Programming 2,
 * 3.4.2, exercise 10). It is inlined into the tick, because nearly all ticks of a long run keep nothing.
 *
 * tick.h includes this header for slices, or paths.h for a path tree. Both define stack_offer().
 */
#ifndef RECORDER_SLICES_H
#define RECORDER_SLICES_H

#include "constants.h"
#include "random.h"
#include "recorder.h"

#if BAREPROF_STACKS != 0 && BAREPROF_PATHS == 0

/* Writes the slice with this index (slices.c). */
void bareprof_slice_write(volatile struct header *header, uintptr_t pc, const struct bareprof_interrupted *interrupted,
                          uint32_t place);

/*
 * Called in each tick of a running profile after its sample was filed. interrupted may be NULL. The first ticks fill
 * the slices in order. After that, every tick so far has the same probability of having its slice kept.
 */
BAREPROF_INLINE void stack_offer(volatile struct header *header, uintptr_t pc,
                                 const struct bareprof_interrupted *interrupted)
{
	volatile uint32_t *const totals = header->stack_totals;

	if (interrupted == NULL)
		return;

	const uint32_t random = random_next(totals[BAREPROF_STACK_TOTAL_RANDOM]);
	const uint32_t offered = totals[BAREPROF_STACK_TOTAL_OFFERED] + 1u;
	const uint32_t capacity = bareprof_layout.sections[BAREPROF_DIRECTORY_SLICES].capacity;
	uint32_t place = random_below(offered, random);

	totals[BAREPROF_STACK_TOTAL_RANDOM] = random;
	totals[BAREPROF_STACK_TOTAL_OFFERED] = offered;
	if (place >= capacity)
		return;
	if (offered <= capacity)
		place = offered - 1u;
	bareprof_slice_write(header, pc, interrupted, place);
}

#endif

#endif
