/* SPDX-License-Identifier: MIT */
/* Arrays that grow. */
#ifndef BASE_ARRAY_H
#define BASE_ARRAY_H

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* The number of items that an array of count items has room for: the next power of two, or 0. */
static inline size_t array_capacity(size_t count)
{
	size_t capacity = count > 0;

	while (capacity < count)
		capacity *= 2;
	return capacity;
}

/*
 * Makes room for `more` items after the first count. Returns the array, which may have moved, or NULL when out of
 * memory, with items unchanged; an array without room for any item may be NULL. The capacity is not stored, so every
 * growth must go through these functions.
 */
static inline void *array_reserve_more(void *items, size_t item_size, size_t count, size_t more)
{
	size_t capacity = array_capacity(count + more);

	return capacity == array_capacity(count) ? items : reallocarray(items, capacity, item_size);
}

/* Like array_reserve_more(), for one more item. Capacities are powers of two, so an array is full at these counts. */
static inline void *array_reserve(void *items, size_t item_size, size_t count)
{
	bool is_full = (count & (count - 1)) == 0;

	return is_full ? array_reserve_more(items, item_size, count, 1) : items;
}

/* Appends a copy of item to an array that grows only by these functions. items is the address of the pointer to its
 * first item. False when out of memory, with the array unchanged. */
static inline bool array_append(void *items, size_t *count, const void *item, size_t item_size)
{
	char *array;

	memcpy(&array, items, sizeof array);
	array = array_reserve(array, item_size, *count);
	if (array == NULL)
		return false;
	memcpy(array + *count * item_size, item, item_size);
	memcpy(items, &array, sizeof array);
	++*count;
	return true;
}

/* Appends a copy of the first length bytes of text to an array of strings, as array_append() does. Returns the copy,
 * which the array's owner frees; NULL when out of memory, with the array unchanged. */
static inline char *array_append_text(char ***texts, size_t *count, const char *text, size_t length)
{
	char *copy = strndup(text, length);

	if (copy != NULL && array_append(texts, count, &copy, sizeof copy))
		return copy;
	free(copy);
	return NULL;
}

/* Up to 8 arrays that are freed together. All zero: no arrays. */
struct scratch {
	void *arrays[8];
	size_t count;
	bool is_short_of_memory; /* an allocation failed */
};

/* Allocates an array of count items, all zero; NULL when out of memory. count may be 0. */
static inline void *scratch_array(struct scratch *scratch, size_t count, size_t item_size)
{
	void *array = calloc(count + 1, item_size);

	scratch->arrays[scratch->count++] = array;
	scratch->is_short_of_memory |= array == NULL;
	return array;
}

static inline void scratch_free(struct scratch *scratch)
{
	while (scratch->count > 0)
		free(scratch->arrays[--scratch->count]);
}

#endif
