/* SPDX-License-Identifier: MIT */
/* Random distances between samples. */
#ifndef RECORDER_RANDOM_H
#define RECORDER_RANDOM_H

#include "constants.h"

#include <stdint.h>

static inline uint32_t random_next(uint32_t random)
{
	return random * (uint32_t)MULTIPLIER + (uint32_t)MULTIPLIER;
}

/* The period plus one of 256 steps from -128 on and, because their mean is half a step too low, one more in half of the
 * cases. The state 0, before the generator drew a number, gives the period itself. */
static inline uint32_t distance_of(uint32_t period, uint32_t random)
{
	return period + period / 512u * (uint32_t)((((int32_t)random >> 23) + 1) >> 1);
}

#endif
