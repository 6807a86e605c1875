/* SPDX-License-Identifier: MIT */
/* CRC-32 by a table of 16 remainders, a nibble at a time: the usual trade of speed for flash. */
#include "crc.h"

#include "count.h"

/* Remainders of the 16 nibbles under the reflected polynomial 0xEDB88320. */
static const uint32_t nibble_remainders[16] = {
        0x00000000, 0x1DB71064, 0x3B6E20C8, 0x26D930AC, 0x76DC4190, 0x6B6B51F4, 0x4DB26158, 0x5005713C,
        0xEDB88320, 0xF00F9344, 0xD6D6A3E8, 0xCB61B38C, 0x9B64C2B0, 0x86D3D2D4, 0xA00AE278, 0xBDBDF21C,
};

/* One more byte into a running remainder. */
static inline uint32_t crc32_update(uint32_t remainder, uint8_t byte)
{
	remainder ^= byte;
	remainder = nibble_remainders[remainder & 0xFu] ^ remainder >> 4;
	return nibble_remainders[remainder & 0xFu] ^ remainder >> 4;
}

uint32_t crc32(const uint8_t *bytes, size_t size)
{
	uint32_t remainder = 0xFFFFFFFFu;

	COUNT(crc32);
	for (size_t i = 0; i < size; i++)
		remainder = crc32_update(remainder, bytes[i]);
	return ~remainder;
}
