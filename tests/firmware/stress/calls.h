/* SPDX-License-Identifier: MIT */
/*
 * The instrumented functions of the stress test, the call sites from which all levels of interrupt call them, and the
 * exact count of what each level called.
 */
#ifndef FIRMWARE_STRESS_CALLS_H
#define FIRMWARE_STRESS_CALLS_H

#include "board.h"

/*
 * Moves are the ways to call that calls_make() knows, each from a call site of its own. The first are those of every
 * kind: by a pointer to each of the leaves, from no caller and from a caller whose arc takes the same slot, recursive,
 * with a tail call, direct; all that follow are direct. Neighbours (2n and 2n + 1) are alike.
 */
#define LEAVES         4u
#define MOVE_ORPHAN    LEAVES
#define MOVE_FOREIGN   (LEAVES + 1u)
#define MOVE_RECURSION (LEAVES + 2u)
#define MOVE_TAIL_CALL (LEAVES + 3u)
#define MOVE_DIRECT    (LEAVES + 4u)
#define MOVES_FEW      14u
#define MOVES          (MOVE_DIRECT + 36u)

/* Arc n is the call that move n begins with; two moves go on to another one. */
#define ARC_OF_RECURSION MOVES
#define ARC_OF_TAIL_CALL (MOVES + 1u)
#define ARCS             (MOVES + 2u)

/* A callee's code begins at a multiple of this, and the hook is called within. */
#define CALLEE_ALIGNMENT 64u

/* The counts of one level of interrupt. Nothing else writes them, so plain increments are exact. */
struct level {
	uint32_t random;
	volatile uint32_t move;  /* the one that is being made, or the last one */
	volatile uint32_t moves; /* made so far */
	uint32_t moves_below;    /* made by the levels below, when this one last made any */
	uint32_t made[ARCS];     /* calls while the profile was running */
};

/* Caller, as return address, and callee of each arc that was ever made: the same at all levels. */
struct arc_key {
	volatile uintptr_t caller;
	volatile uintptr_t callee;
};
extern struct arc_key arc_keys[ARCS];

/* Marsaglia's xorshift: the same numbers in every run. */
uint32_t random_next(uint32_t *random);

/* The BAREPROF_STATE_* in the gate. */
uint32_t profile_state(void);

/* Makes one move; move is less than MOVES. */
void calls_make(struct level *level, uint32_t move);

#endif
