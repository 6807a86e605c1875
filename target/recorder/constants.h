/* SPDX-License-Identifier: MIT */
/* Numbers of the sampling interrupt that its parts in C and in assembly share. */
#ifndef RECORDER_CONSTANTS_H
#define RECORDER_CONSTANTS_H

/* A linear congruential generator whose period is all 2^32 numbers, of which the upper bits are used (Knuth, The Art of
 * Computer Programming 2, 3.2.1.2, theorem A; the multiplier is Marsaglia's of 3.3.4, table 1, and any odd
 * increment will do). */
#define MULTIPLIER 69069

/* Of the ticks of a running profile one in so many is timed, the first among them. A counter that reached its limit has
 * ticks of this kind only. */
#define TIMED_TICKS 64

/* Slots of the table of granules that one sample looks at: the work of an interrupt is bounded; see arcs.c. */
#define GRANULE_PROBES_MAX 16

/*
 * Contexts run the same code, one stretch of granules each: they begin far apart and go on at steps of their own. Tried
 * with tables of 128 to 1,024 granules, 30 to 70 % full, of 2 to 8 contexts; side by side and at one step, a third of
 * the granules found no slot in a table that was a quarter full.
 */
#define CONTEXT_DISTANCE 293
#define CONTEXT_STEP     274

#endif
