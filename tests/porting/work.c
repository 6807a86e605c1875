/* SPDX-License-Identifier: MIT */
/*
 * The work of the porting tests' firmware: calls whose numbers follow from the loops. The functions are optimised
 * separately (GCC), so that each call in the source is one call.
 */
#include <stdint.h>

#define APART __attribute__((noinline, noclone, noipa))

APART uint32_t mix(uint32_t value);
APART void collect(uint32_t round);
APART void summarise(uint32_t round);
void work(void);

static volatile uint32_t total;

APART uint32_t mix(uint32_t value)
{
	for (uint32_t i = 0; i < 40; i++)
		value = (value ^ i) * 2654435761u + (value >> 7);
	return value;
}

APART void collect(uint32_t round)
{
	for (uint32_t channel = 0; channel < 3; channel++)
		total += mix(round + channel);
}

APART void summarise(uint32_t round)
{
	total ^= mix(round);
}

/* work -> collect 4000, collect -> mix 12000, work -> summarise 1000, summarise -> mix 1000. */
APART void work(void)
{
	for (uint32_t round = 0; round < 4000; round++) {
		collect(round);
		if (round % 4 == 0)
			summarise(round);
	}
}
