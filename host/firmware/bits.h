/* SPDX-License-Identifier: MIT */
/* Numbers in bytes, bit fields of instruction words, and arrays of bits. */
#ifndef FIRMWARE_BITS_H
#define FIRMWARE_BITS_H

#include <stdbool.h>
#include <stdint.h>

/* The unsigned number of size bytes, at most 8. */
static inline uint64_t number_at(const uint8_t *bytes, unsigned size, bool big_endian)
{
	uint64_t value = 0;

	for (unsigned i = 0; i < size; i++)
		value = value << 8 | bytes[big_endian ? i : size - 1 - i];
	return value;
}

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

static inline bool has_bit(const uint8_t *bits, uint64_t index)
{
	return (bits[index / 8] >> index % 8 & 1) != 0;
}

static inline void set_bit(uint8_t *bits, uint64_t index)
{
	bits[index / 8] |= (uint8_t)(1u << index % 8);
}

#endif
