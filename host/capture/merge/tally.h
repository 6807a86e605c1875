/* SPDX-License-Identifier: MIT */
/*
 * A sum of keyed counts: a hash table, whose items are sorted at the end. Memory is that of the distinct keys. Knows
 * nothing of the items. Private to merge/.
 */
#ifndef CAPTURE_MERGE_TALLY_H
#define CAPTURE_MERGE_TALLY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct tally_kind {
	size_t item_size;
	uint64_t (*hash)(const void *item);                  /* of the key; need not be well mixed */
	int (*compare)(const void *left, const void *right); /* of the keys */
	void (*add)(void *sum, const void *item);            /* the counts of items with one key */
};

/* All zero but kind: nothing. Freed by tally_free(). */
struct tally {
	const struct tally_kind *kind;
	void *items; /* no key stands twice */
	size_t count;
	uint32_t *slots; /* index of an item + 1, 0: free */
	size_t slot_count;
	uint64_t seed;
};

void tally_free(struct tally *tally);

/* Adds items, of which several may have one key; false when memory runs out. */
bool tally_add(struct tally *tally, const void *items, size_t count);

/* Sorts the items. No more are added then. */
void tally_sort(struct tally *tally);

#endif
