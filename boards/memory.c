/* SPDX-License-Identifier: MIT */
/*
 * The memory functions that a compiler may call in freestanding code. Compiled without the optimisation that would turn
 * each loop into a call of the function itself.
 */
#include <stddef.h>
#include <stdint.h>

void *memcpy(void *restrict destination, const void *restrict source, size_t size);
void *memmove(void *destination, const void *source, size_t size);
void *memset(void *destination, int value, size_t size);
int memcmp(const void *left, const void *right, size_t size);

void *memcpy(void *restrict destination, const void *restrict source, size_t size)
{
	uint8_t *to = destination;
	const uint8_t *from = source;

	for (size_t i = 0; i < size; i++)
		to[i] = from[i];
	return destination;
}

void *memmove(void *destination, const void *source, size_t size)
{
	uint8_t *to = destination;
	const uint8_t *from = source;

	if (to < from)
		for (size_t i = 0; i < size; i++)
			to[i] = from[i];
	else
		while (size-- > 0)
			to[size] = from[size];
	return destination;
}

void *memset(void *destination, int value, size_t size)
{
	uint8_t *to = destination;

	for (size_t i = 0; i < size; i++)
		to[i] = (uint8_t)value;
	return destination;
}

int memcmp(const void *left, const void *right, size_t size)
{
	const uint8_t *a = left;
	const uint8_t *b = right;

	for (size_t i = 0; i < size; i++)
		if (a[i] != b[i])
			return a[i] - b[i];
	return 0;
}
