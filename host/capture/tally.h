/* SPDX-License-Identifier: MIT */
/*
 * A hash table that adds up counts with the same key and sorts them at the end. Memory grows with the number of
 * distinct keys. Private to capture/.
 */
#ifndef CAPTURE_TALLY_H
#define CAPTURE_TALLY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct tally_kind {
	size_t item_size;
	/* Hashes the key. Each part of the key is mixed (mix.h) with the hash of the parts before it, the first one
	 * with the seed: otherwise a file could be crafted whose keys all collide. */
	uint64_t (*hash)(const void *item, uint64_t seed);
	int (*compare)(const void *left, const void *right); /* by key; for qsort() */
	void (*add)(void *sum, const void *item);            /* adds the count of an item with the same key */
};

/* Initially all zero except for kind. */
struct tally {
	const struct tally_kind *kind;
	void *items; /* with distinct keys */
	size_t count;
	uint32_t *slots; /* index of an item + 1, 0: free */
	size_t slot_count;
	uint64_t seed;
};

void tally_free(struct tally *tally);

/* Adds an item. Returns the index of the item with its key, or TALLY_FULL when out of memory. */
#define TALLY_FULL UINT32_MAX
uint32_t tally_add_item(struct tally *tally, const void *item);

/* Adds items; several may have the same key. False when out of memory. */
bool tally_add(struct tally *tally, const void *items, size_t count);

/* Sorts the items. Nothing may be added afterwards. */
void tally_sort(struct tally *tally);

#endif
