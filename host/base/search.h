/* SPDX-License-Identifier: MIT */
/* Sorting and binary search by a number. */
#ifndef BASE_SEARCH_H
#define BASE_SEARCH_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Below, equal to or above 0, as the first number is to the second. */
static inline int compare_numbers(uint64_t left, uint64_t right)
{
	return (left > right) - (left < right);
}

/* The same for qsort(), of uint64_t. */
static inline int order_numbers(const void *left, const void *right)
{
	return compare_numbers(*(const uint64_t *)left, *(const uint64_t *)right);
}

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

/* The index of the first item whose number is not below value, or count. */
static inline size_t first_from(const void *items, size_t count, size_t item_size, size_t offset, uint64_t value)
{
	return value == 0 ? 0 : first_above(items, count, item_size, offset, value - 1);
}

/* The same for numbers that are indices: the size_t at offset in each item. */
static inline size_t first_index_from(const void *items, size_t count, size_t item_size, size_t offset, size_t value)
{
	size_t low = 0, high = count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		size_t number;

		memcpy(&number, (const char *)items + middle * item_size + offset, sizeof number);
		if (number < value)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

#endif
