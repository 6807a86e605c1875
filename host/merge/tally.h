/* SPDX-License-Identifier: MIT */
/*
 * A sum of keyed counts: sorted items, to which sorted items are added. What is new waits behind them until it is worth
 * sorting in, so that adding costs n log n over all however the keys come. Knows nothing of the items. Private to
 * merge/.
 */
#ifndef MERGE_TALLY_H
#define MERGE_TALLY_H

#include <stdbool.h>
#include <stddef.h>

struct tally_kind {
	size_t item_size;
	int (*compare)(const void *left, const void *right); /* of the keys */
	void (*add)(void *sum, const void *item);            /* the counts of items with one key */
};

/* All zero but kind: nothing. */
struct tally {
	const struct tally_kind *kind;
	void *items; /* the first `settled` are sorted and no key stands twice */
	size_t settled, count, capacity;
};

/* Sorts items of the caller, as tally_add() wants them; nothing is done where they are sorted already. */
void tally_sort(const struct tally_kind *kind, void *items, size_t count);

/* Adds sorted items, of which several may have one key; false when memory runs out. */
bool tally_add(struct tally *tally, const void *items, size_t count);

/* Now all items are sorted and no key stands twice. */
void tally_settle(struct tally *tally);

#endif
