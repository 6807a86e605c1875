/* SPDX-License-Identifier: MIT */
/* Distances between samples that do not repeat. Knows nothing of timers. */
#ifndef RECORDER_RANDOM_H
#define RECORDER_RANDOM_H

#include <stdint.h>

/* A linear congruential generator whose period is all 2^32 numbers, of which the upper bits are used (Knuth, The Art of
 * Computer Programming 2, 3.2.1.2, theorem A; the multiplier is Marsaglia's of 3.3.4, table 1, and any odd
 * increment will do). */
#define MULTIPLIER 69069u

static inline uint32_t random_next(uint32_t random)
{
	return random * MULTIPLIER + MULTIPLIER;
}

/* One of 256 steps from -128 on and, because their mean is half a step too low, one more in half of the cases. The
 * number 0, which is the generator's before it drew one, makes it the period. */
static inline uint32_t distance_of(uint32_t period, uint32_t random)
{
	return period + period / 512u * (uint32_t)((((int32_t)random >> 23) + 1) >> 1);
}

#endif
