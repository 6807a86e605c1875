/* SPDX-License-Identifier: MIT */
/* Random distances between samples. */
#ifndef RECORDER_RANDOM_H
#define RECORDER_RANDOM_H

#include "compiler.h"
#include "constants.h"

#include <stdint.h>

BAREPROF_INLINE uint32_t random_next(uint32_t random)
{
	return random * (uint32_t)MULTIPLIER + (uint32_t)MULTIPLIER;
}

/* The period plus a random number of steps from -128 to 127. Their mean is half a step too low, so one more is added in
 * half of the cases. The state 0, before the generator drew a number, gives the period itself. */
BAREPROF_INLINE uint32_t distance_of(uint32_t period, uint32_t random)
{
	return period + period / 512u * (uint32_t)((((int32_t)random >> 23) + 1) >> 1);
}

/* A number that gives the period itself. Its successors depend on all lower bits of `random`. */
BAREPROF_INLINE uint32_t random_of_period(uint32_t random)
{
	return random & 0x007FFFFFu;
}

/*
 * A random number below the limit: the upper half of the product. If the core has no multiplication with a product of
 * 64 bits, the product is computed from halves of words, because the compiler would call a function of its library.
 */
BAREPROF_INLINE uint32_t random_below(uint32_t limit, uint32_t random)
{
#if (defined(__arm__) && !defined(__ARM_FEATURE_DSP) && __ARM_ARCH_ISA_THUMB == 1) || \
        (defined(__riscv) && !defined(__riscv_mul))
	const uint32_t low = limit & 0xFFFFu;
	const uint32_t high = limit >> 16;
	const uint32_t middle = (random >> 16) * low + ((random & 0xFFFFu) * low >> 16);

	return (random >> 16) * high + (middle >> 16) + (((random & 0xFFFFu) * high + (middle & 0xFFFFu)) >> 16);
#else
	return (uint32_t)((uint64_t)random * limit >> 32);
#endif
}

#endif
