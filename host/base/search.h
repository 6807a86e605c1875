/* SPDX-License-Identifier: MIT */
/* Sorting and binary search by a number. */
#ifndef BASE_SEARCH_H
#define BASE_SEARCH_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Negative, 0 or positive, as for strcmp(). */
static inline int compare_numbers(uint64_t left, uint64_t right)
{
	return (left > right) - (left < right);
}

/* Like compare_numbers(), for qsort() of uint64_t. */
static inline int order_numbers(const void *left, const void *right)
{
	return compare_numbers(*(const uint64_t *)left, *(const uint64_t *)right);
}

/* The index of the first item whose number is not below value, or count. The number is an unsigned integer of
 * number_size bytes, 4 or 8, at offset in each item; it never decreases from one item to the next. O(log n). */
static inline size_t first_number_from(const void *items, size_t count, size_t item_size, size_t offset,
                                       size_t number_size, uint64_t value)
{
	size_t low = 0, high = count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		const char *place = (const char *)items + middle * item_size + offset;
		uint32_t small;
		uint64_t number;

		if (number_size == sizeof small) {
			memcpy(&small, place, sizeof small);
			number = small;
		} else {
			memcpy(&number, place, sizeof number);
		}
		if (number < value)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Like first_number_from(), for uint64_t. */
static inline size_t first_from(const void *items, size_t count, size_t item_size, size_t offset, uint64_t value)
{
	return first_number_from(items, count, item_size, offset, sizeof(uint64_t), value);
}

/* The index of the first item whose number is above value, or count. */
static inline size_t first_above(const void *items, size_t count, size_t item_size, size_t offset, uint64_t value)
{
	return value == UINT64_MAX ? count : first_from(items, count, item_size, offset, value + 1);
}

/* Like first_number_from(), for size_t. */
static inline size_t first_index_from(const void *items, size_t count, size_t item_size, size_t offset, size_t value)
{
	return first_number_from(items, count, item_size, offset, sizeof(size_t), value);
}

#endif
