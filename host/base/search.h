/* SPDX-License-Identifier: MIT */
/* Binary search in arrays sorted by a number. */
#ifndef BASE_SEARCH_H
#define BASE_SEARCH_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* The index of the first item whose number is above value, or count. The number is the uint64_t at offset in each item;
 * it never decreases from one item to the next. O(log n). */
static inline size_t first_above(const void *items, size_t count, size_t item_size, size_t offset, uint64_t value)
{
	size_t low = 0, high = count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		uint64_t number;

		memcpy(&number, (const char *)items + middle * item_size + offset, sizeof number);
		if (number <= value)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

#endif
