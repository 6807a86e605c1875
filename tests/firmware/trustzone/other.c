/* SPDX-License-Identifier: MIT */
/* Work in the other security state, in registers and on that state's stack only. */
#include "states.h"

OTHER_STATE static uint32_t other_spread(uint32_t value)
{
	uint32_t spread = value;

	for (uint32_t i = 0; i < 12u + value % 32u; i++)
		spread = spread * 1664525u + 1013904223u;
	return spread;
}

OTHER_STATE static uint32_t other_square_root(uint32_t value)
{
	uint32_t root = 0;

	for (uint32_t bit = 0x8000u; bit != 0; bit >>= 1)
		if ((root + bit) * (root + bit) <= value)
			root += bit;
	return root;
}

OTHER_STATE static uint32_t other_reverse(uint32_t value)
{
	uint32_t reversed = 0;

	for (uint32_t rest = value | 1u; rest != 0; rest >>= 1)
		reversed = reversed << 1 | (rest & 1u);
	return reversed;
}

OTHER_STATE static uint32_t other_steps_to_one(uint32_t value)
{
	uint32_t steps = 0;

	for (uint32_t number = value % 1000u + 1u; number != 1u; steps++)
		number = number & 1u ? 3u * number + 1u : number / 2u;
	return steps;
}

OTHER_STATE uint32_t other_work(uint32_t seed)
{
	const uint32_t spread = other_spread(seed);

	return other_square_root(spread >> 1) + other_reverse(spread) + other_steps_to_one(spread);
}
