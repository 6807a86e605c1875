/* SPDX-License-Identifier: MIT */
/* Functions that clear, copy and compare words. */
#include "recorder.h"

BAREPROF_CODE(bareprof_memory_clear) void bareprof_memory_clear(volatile void *memory, uint32_t size)
{
	do {
		size -= 4;
		*(volatile uint32_t *)offset_by(memory, size) = 0;
	} while (size != 0);
}

BAREPROF_CODE(bareprof_memory_copy) void bareprof_memory_copy(volatile void *to, const void *from, uint32_t size)
{
	const uint8_t *source = from;

	do {
		size -= 4;
		*(volatile uint32_t *)offset_by(to, size) = *(const uint32_t *)(const void *)(source + size);
	} while (size != 0);
}

BAREPROF_CODE(bareprof_memory_difference)
uint32_t bareprof_memory_difference(const volatile void *left, const void *right, uint32_t size)
{
	const volatile uint8_t *one = left;
	const uint8_t *other = right;
	uint32_t difference = 0;

	do {
		size -= 4;
		difference |= *(const volatile uint32_t *)(const volatile void *)(one + size) ^
		              *(const uint32_t *)(const void *)(other + size);
	} while (size != 0);
	return difference;
}
