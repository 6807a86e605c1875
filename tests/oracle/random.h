/* SPDX-License-Identifier: MIT */
/* Pseudorandom numbers: a seed gives the same numbers on every machine. */
#ifndef ORACLE_RANDOM_H
#define ORACLE_RANDOM_H

#include <stdbool.h>
#include <stdint.h>

struct random {
	uint64_t state;
};

/* The generator of one profile, different for each seed and number. */
struct random random_create(uint64_t seed, uint64_t number);

uint64_t random_next(struct random *random);

/* 0 to limit - 1; limit is not 0. */
uint64_t random_below(struct random *random, uint64_t limit);

/* low to high, inclusive. */
uint64_t random_between(struct random *random, uint64_t low, uint64_t high);

/* True with this probability. */
bool random_chance(struct random *random, unsigned percent);

/* 0 to limit. Numbers of one bit are as frequent as numbers of two, of three, ... */
uint64_t random_magnitude(struct random *random, uint64_t limit);

#endif
