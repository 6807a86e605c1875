/* SPDX-License-Identifier: MIT */
/* Numbers that look random and are the same for the same seed on every machine. Knows nothing of what they choose. */
#ifndef ORACLE_RANDOM_H
#define ORACLE_RANDOM_H

#include <stdbool.h>
#include <stdint.h>

struct random {
	uint64_t state;
};

/* The generator of one profile: others for each seed and each number. */
struct random random_create(uint64_t seed, uint64_t number);

uint64_t random_next(struct random *random);

/* 0 up to limit - 1; limit is not 0. */
uint64_t random_below(struct random *random, uint64_t limit);

/* low up to high, both included. */
uint64_t random_between(struct random *random, uint64_t low, uint64_t high);

/* True so many times of a hundred. */
bool random_chance(struct random *random, unsigned percent);

/* 0 up to limit, as often of one bit as of two, of three, ... */
uint64_t random_magnitude(struct random *random, uint64_t limit);

#endif
