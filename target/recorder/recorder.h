/* SPDX-License-Identifier: MIT */
/* Functions that the files of the recorder share. */
#ifndef RECORDER_RECORDER_H
#define RECORDER_RECORDER_H

#include "block.h"

/* control.c: executes the host's request, if there is a new one, and acknowledges or refuses it. */
void bareprof_request_serve(volatile struct header *header);
/* Clears the bits `off` of the state, then sets the bits `on`. Before init it changes nothing and returns false. */
bool bareprof_state_change(uint32_t transition);
#define TRANSITION(off, on) ((off) << 4 | (on))

/* A start by hand cancels the window. A start by the trigger keeps it, and a stop in the meantime prevails over it. */
#define TRANSITION_START   TRANSITION(BAREPROF_STATE_ARMED | BAREPROF_STATE_STOPPED, BAREPROF_STATE_RUNNING)
#define TRANSITION_FIRE    TRANSITION(BAREPROF_STATE_ARMED, BAREPROF_STATE_RUNNING)
#define TRANSITION_STOP    TRANSITION(BAREPROF_STATE_ARMED, BAREPROF_STATE_STOPPED)
#define TRANSITION_RESET   TRANSITION(0, BAREPROF_STATE_CLEARING)
#define TRANSITION_ARM     TRANSITION(BAREPROF_STATE_STOPPED, BAREPROF_STATE_ARMED)
#define TRANSITION_CLEARED TRANSITION(BAREPROF_STATE_CLEARING, 0)

/* tick.c: a tick of a profile that is not running or not initialised yet. */
void bareprof_tick_idle(volatile struct header *header, void (*acknowledge)(uint32_t clock_units));

/* clear.c: one step of a reset that is under way. */
void bareprof_clear_step(volatile struct header *header);

/*
 * memory.c: clears, copies and compares words, from the last to the first; sizes and addresses are multiples of 4,
 * sizes are not 0. It uses loops of its own and volatile pointers, because the firmware's memset() may be instrumented.
 */
void bareprof_memory_clear(volatile void *memory, uint32_t size);
void bareprof_memory_copy(volatile void *to, const void *from, uint32_t size);
/* 0 if they are equal. */
uint32_t bareprof_memory_difference(const volatile void *left, const void *right, uint32_t size);

/*
 * ranges.c: writes the ranges into a header that has its sections, and makes the bins of the scaled section as fine as
 * the ranges allow.
 */
void bareprof_ranges_describe(struct header *header);
/* The bin of pc in the scaled section; less than its capacity, or BIN_NONE outside all ranges. */
uintptr_t bareprof_range_bin(volatile struct header *header, uintptr_t pc);
#define BIN_NONE UINTPTR_MAX
/* The start and end of the last range, which is then empty, if no range names the code to sample: all of it is. */
#define RANGE_OF_ALL 1u
BAREPROF_INLINE bool ranges_are_named(void)
{
#ifdef BAREPROF_DROP_IN
	return bareprof_layout.config.ranges[0].end != NULL;
#else
	return true;
#endif
}

#endif
