/* SPDX-License-Identifier: MIT */
/*
 * Memory in words, through volatile pointers, so that no compiler makes calls of memcpy() and memset() of these loops:
 * the firmware's own may be instrumented. Knows nothing of what is in it.
 */
#ifndef RECORDER_MEMORY_H
#define RECORDER_MEMORY_H

#include <stdint.h>

/* size is a multiple of 4, as is the address. */
static inline void memory_clear_words(volatile void *memory, uint32_t size)
{
	volatile uint32_t *word = (volatile uint32_t *)memory;

	for (; size != 0; size -= 4)
		*word++ = 0;
}

#endif
