/* SPDX-License-Identifier: MIT */
/* Arrays that grow by one item at a time. Knows nothing of the items. */
#ifndef BASE_ARRAY_H
#define BASE_ARRAY_H

#include <stdbool.h>
#include <stdlib.h>

/* items with room for one more; NULL if memory is short, items are then as they were. */
static inline void *array_reserve(void *items, size_t item_size, size_t count)
{
	/* The capacity is the next power of two. */
	bool is_full = (count & (count - 1)) == 0;
	return is_full ? reallocarray(items, count == 0 ? 1 : count * 2, item_size) : items;
}

#endif
