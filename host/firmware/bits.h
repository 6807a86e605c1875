/* SPDX-License-Identifier: MIT */
/* Bit fields of instruction words. */
#ifndef FIRMWARE_BITS_H
#define FIRMWARE_BITS_H

#include <stdint.h>

/* Moves count bits (below 32) of value from bit position from to position to. */
static inline uint32_t moved_bits(uint32_t value, unsigned from, unsigned to, unsigned count)
{
	return (value >> from & ((1u << count) - 1)) << to;
}

/* Sign-extends a two's complement number of this many bits to 64 bits. */
static inline uint64_t sign_extended(uint64_t value, unsigned bits)
{
	uint64_t sign = (uint64_t)1 << (bits - 1);
	return (value ^ sign) - sign;
}

#endif
