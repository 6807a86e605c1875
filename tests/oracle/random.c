/* SPDX-License-Identifier: MIT */
/* See random.h. */
#include "random.h"

/* SplitMix64: Steele, Lea, Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014, figure 17. */
uint64_t random_next(struct random *random)
{
	uint64_t mixed = random->state += UINT64_C(0x9E3779B97F4A7C15);

	mixed = (mixed ^ mixed >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
	mixed = (mixed ^ mixed >> 27) * UINT64_C(0x94D049BB133111EB);
	return mixed ^ mixed >> 31;
}

struct random random_create(uint64_t seed, uint64_t number)
{
	struct random random = {.state = seed};

	random.state = random_next(&random) ^ number;
	random.state = random_next(&random);
	return random;
}

uint64_t random_below(struct random *random, uint64_t limit)
{
	return random_next(random) % limit;
}

uint64_t random_between(struct random *random, uint64_t low, uint64_t high)
{
	return low + random_below(random, high - low + 1);
}

bool random_chance(struct random *random, unsigned percent)
{
	return random_below(random, 100) < percent;
}

uint64_t random_magnitude(struct random *random, uint64_t limit)
{
	unsigned bits = 0;

	while (bits < 64 && limit >> bits != 0)
		bits++;
	bits = (unsigned)random_below(random, bits + 1);
	uint64_t number = bits == 0 ? 0 : random_next(random) >> (64 - bits);
	return number < limit ? number : limit;
}
