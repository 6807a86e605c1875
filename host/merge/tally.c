/* SPDX-License-Identifier: MIT */
/* See tally.h. */
#include "merge/tally.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define WAITING_MIN 4096 /* items that are not worth sorting in */

static char *item_at(const struct tally *tally, size_t index)
{
	return (char *)tally->items + index * tally->kind->item_size;
}

void tally_sort(const struct tally_kind *kind, void *items, size_t count)
{
	const char *item = items;
	for (size_t i = 1; i < count; i++, item += kind->item_size) {
		if (kind->compare(item, item + kind->item_size) > 0) {
			qsort(items, count, kind->item_size, kind->compare);
			return;
		}
	}
}

/* The first of the settled items from start on that is not less than the key: steps that double, then bisection, so
 * that keys in order cost little however many items there are. */
static size_t find(const struct tally *tally, size_t start, const void *key)
{
	size_t low = start, step = 1;
	while (low + step < tally->settled && tally->kind->compare(item_at(tally, low + step), key) < 0) {
		low += step;
		step *= 2;
	}
	size_t high = low + step < tally->settled ? low + step : tally->settled;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (tally->kind->compare(item_at(tally, middle), key) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static bool append(struct tally *tally, const void *item)
{
	if (tally->count == tally->capacity) {
		size_t capacity = tally->capacity == 0 ? 256 : 2 * tally->capacity;
		void *items = reallocarray(tally->items, capacity, tally->kind->item_size);
		if (items == NULL)
			return false;
		tally->items = items;
		tally->capacity = capacity;
	}
	memcpy(item_at(tally, tally->count++), item, tally->kind->item_size);
	return true;
}

bool tally_add(struct tally *tally, const void *items, size_t count)
{
	size_t place = 0;
	const char *item = items;
	for (size_t i = 0; i < count; i++, item += tally->kind->item_size) {
		place = find(tally, place, item);
		if (place < tally->settled && tally->kind->compare(item_at(tally, place), item) == 0)
			tally->kind->add(item_at(tally, place), item);
		else if (!append(tally, item))
			return false;
	}
	size_t waiting = tally->count - tally->settled;
	if (waiting > WAITING_MIN && waiting > tally->settled)
		tally_settle(tally);
	return true;
}

void tally_settle(struct tally *tally)
{
	if (tally->count == tally->settled)
		return;
	qsort(tally->items, tally->count, tally->kind->item_size, tally->kind->compare);
	size_t kept = 1;
	for (size_t i = 1; i < tally->count; i++) {
		void *last = item_at(tally, kept - 1), *item = item_at(tally, i);
		if (tally->kind->compare(last, item) == 0)
			tally->kind->add(last, item);
		else if (kept++ < i)
			memcpy(item_at(tally, kept - 1), item, tally->kind->item_size);
	}
	tally->settled = tally->count = kept;
}
