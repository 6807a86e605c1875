/* SPDX-License-Identifier: MIT */
/* Distances between samples that do not repeat. Knows nothing of timers. */
#ifndef RECORDER_RANDOM_H
#define RECORDER_RANDOM_H

#include "constants.h"

#include <stdint.h>

static inline uint32_t random_next(uint32_t random)
{
	return random * (uint32_t)MULTIPLIER + (uint32_t)MULTIPLIER;
}

/* One of 256 steps from -128 on and, because their mean is half a step too low, one more in half of the cases. The
 * number 0, which is the generator's before it drew one, makes it the period. */
static inline uint32_t distance_of(uint32_t period, uint32_t random)
{
	return period + period / 512u * (uint32_t)((((int32_t)random >> 23) + 1) >> 1);
}

#endif
