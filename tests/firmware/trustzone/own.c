/* SPDX-License-Identifier: MIT */
/* Work in the image's own security state. */
#include "states.h"

static uint32_t own_stir(uint32_t value)
{
	uint32_t stirred = value | 1u;

	for (uint32_t i = 0; i < 20u + value % 32u; i++) {
		stirred ^= stirred << 13;
		stirred ^= stirred >> 17;
		stirred ^= stirred << 5;
	}
	return stirred;
}

static uint32_t own_count_bits(uint32_t value)
{
	uint32_t count = 0;

	for (uint32_t rest = value; rest != 0; rest &= rest - 1u)
		count++;
	return count;
}

static uint32_t own_common_divisor(uint32_t left, uint32_t right)
{
	while (right != 0) {
		const uint32_t rest = left % right;

		left = right;
		right = rest;
	}
	return left;
}

static uint32_t own_check(uint32_t value)
{
	uint32_t check = value;

	for (uint32_t i = 0; i < 16u + value % 16u; i++)
		check = check & 1u ? check >> 1 ^ 0xEDB88320u : check >> 1;
	return check;
}

uint32_t own_work(uint32_t seed)
{
	const uint32_t stirred = own_stir(seed);

	return own_check(stirred) + own_count_bits(stirred) + own_common_divisor(stirred, seed | 1u);
}
