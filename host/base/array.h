/* SPDX-License-Identifier: MIT */
/* Arrays that grow by one item at a time. */
#ifndef BASE_ARRAY_H
#define BASE_ARRAY_H

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Returns items with room for one more than count; NULL when out of memory, with items unchanged. The capacity is not
 * stored: it is the next power of two, so every growth must go through this function. */
static inline void *array_reserve(void *items, size_t item_size, size_t count)
{
	bool is_full = (count & (count - 1)) == 0;

	return is_full ? reallocarray(items, count == 0 ? 1 : count * 2, item_size) : items;
}

/* Appends a copy of item to an array that grows only by these two functions. items is the address of the pointer to its
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

/* Arrays that are needed together and freed together. All zero: there are none yet. */
struct scratch {
	void *arrays[8];
	size_t count;
	bool is_short_of_memory; /* an array was refused */
};

/* An array of count items, all zero; NULL when out of memory. Array sizes may be 0. */
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
