/* SPDX-License-Identifier: MIT */
/* Random words that repeat for a seed. */
#ifndef TESTS_RANDOM_H
#define TESTS_RANDOM_H

#include <stdint.h>

/* xorshift32: G. Marsaglia, "Xorshift RNGs". The state must not be 0. */
static inline uint32_t random_next(uint32_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 17;
	*state ^= *state << 5;
	return *state;
}

/* A state for each seed, none of them 0. */
static inline uint32_t random_state_of(uint32_t seed)
{
	return (seed + 1) * 2654435761u | 1u;
}

#endif
