/* SPDX-License-Identifier: MIT */
/* Functions that clear, copy and compare words. */
#include "recorder.h"

void bareprof_memory_clear(volatile void *memory, uint32_t size)
{
	volatile uint8_t *byte = (volatile uint8_t *)memory;

	do {
		size -= 4;
		*(volatile uint32_t *)(byte + size) = 0;
	} while (size != 0);
}

void bareprof_memory_copy(volatile void *to, const void *from, uint32_t size)
{
	volatile uint8_t *byte = (volatile uint8_t *)to;
	const uint8_t *source = (const uint8_t *)from;

	do {
		size -= 4;
		*(volatile uint32_t *)(byte + size) = *(const uint32_t *)(source + size);
	} while (size != 0);
}

uint32_t bareprof_memory_difference(const volatile void *left, const void *right, uint32_t size)
{
	const volatile uint8_t *byte = (const volatile uint8_t *)left;
	const uint8_t *other = (const uint8_t *)right;
	uint32_t difference = 0;

	do {
		size -= 4;
		difference |= *(const volatile uint32_t *)(byte + size) ^ *(const uint32_t *)(other + size);
	} while (size != 0);
	return difference;
}
