/* SPDX-License-Identifier: MIT */
/*
 * Bytes and words copied, compared and cleared, through volatile pointers, so that no compiler makes calls of memcpy()
 * and memset() of these loops: the firmware's own may be instrumented. Knows nothing of what is in them.
 */
#ifndef RECORDER_MEMORY_H
#define RECORDER_MEMORY_H

#include <stdbool.h>
#include <stdint.h>

/* size is a multiple of 4, as is the address. */
static inline void memory_clear_words(volatile void *memory, uint32_t size)
{
	volatile uint32_t *word = (volatile uint32_t *)memory;

	for (; size != 0; size -= 4)
		*word++ = 0;
}

static inline void memory_copy(volatile void *to, const volatile void *from, uint32_t size)
{
	volatile uint8_t *byte = (volatile uint8_t *)to;
	const volatile uint8_t *source = (const volatile uint8_t *)from;

	for (; size != 0; size--)
		*byte++ = *source++;
}

static inline bool memory_is_equal(const volatile void *left, const volatile void *right, uint32_t size)
{
	const volatile uint8_t *a = (const volatile uint8_t *)left;
	const volatile uint8_t *b = (const volatile uint8_t *)right;

	for (; size != 0; size--)
		if (*a++ != *b++)
			return false;
	return true;
}

#endif
