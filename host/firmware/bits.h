/* SPDX-License-Identifier: MIT */
/* Fields of instructions that are not where their value needs them. Knows no instruction set. */
#ifndef FIRMWARE_BITS_H
#define FIRMWARE_BITS_H

#include <stdint.h>

/* The count bits (below 32) that value holds from position from on, at position to. */
static inline uint32_t moved_bits(uint32_t value, unsigned from, unsigned to, unsigned count)
{
	return (value >> from & ((1u << count) - 1)) << to;
}

/* A two's complement number of so many bits, 64 bits wide. */
static inline uint64_t sign_extended(uint64_t value, unsigned bits)
{
	uint64_t sign = (uint64_t)1 << (bits - 1);
	return (value ^ sign) - sign;
}

#endif
