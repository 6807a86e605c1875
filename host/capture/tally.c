/* SPDX-License-Identifier: MIT */
/* See tally.h. Open addressing; at most half of the slots are used. */
#include "capture/tally.h"

#include <stdlib.h>
#include <string.h>

#define SLOTS_MIN 512

static char *item_at(const struct tally *tally, size_t index)
{
	return (char *)tally->items + index * tally->kind->item_size;
}

/* The slot of the item with this key, or else a free slot for it. */
static uint32_t *find_slot(const struct tally *tally, const void *key)
{
	size_t mask = tally->slot_count - 1;
	size_t slot = tally->kind->hash(key, tally->seed) & mask;

	while (tally->slots[slot] != 0 && tally->kind->compare(item_at(tally, tally->slots[slot] - 1), key) != 0)
		slot = (slot + 1) & mask;
	return &tally->slots[slot];
}

/* Twice as many slots, and room for half as many items. */
static bool double_slots(struct tally *tally)
{
	size_t slot_count = tally->slot_count == 0 ? SLOTS_MIN : 2 * tally->slot_count;
	uint32_t *slots = slot_count / 2 < TALLY_FULL ? calloc(slot_count, sizeof *slots) : NULL;
	void *items = reallocarray(tally->items, slot_count / 2, tally->kind->item_size);

	tally->items = items != NULL ? items : tally->items;
	if (slots == NULL || items == NULL) {
		free(slots);
		return false;
	}
	free(tally->slots);
	tally->slots = slots;
	tally->slot_count = slot_count;
	/* Differs from run to run. */
	tally->seed = (uintptr_t)slots;
	for (size_t i = 0; i < tally->count; i++)
		*find_slot(tally, item_at(tally, i)) = (uint32_t)i + 1;
	return true;
}

uint32_t tally_add_item(struct tally *tally, const void *item)
{
	if (tally->count == tally->slot_count / 2 && !double_slots(tally))
		return TALLY_FULL;
	uint32_t *slot = find_slot(tally, item);
	if (*slot != 0) {
		tally->kind->add(item_at(tally, *slot - 1), item);
		return *slot - 1;
	}
	memcpy(item_at(tally, tally->count++), item, tally->kind->item_size);
	*slot = (uint32_t)tally->count;
	return *slot - 1;
}

void tally_free(struct tally *tally)
{
	free(tally->items);
	free(tally->slots);
}

bool tally_add(struct tally *tally, const void *items, size_t count)
{
	const char *item = items;

	for (size_t i = 0; i < count; i++, item += tally->kind->item_size)
		if (tally_add_item(tally, item) == TALLY_FULL)
			return false;
	return true;
}

void tally_sort(struct tally *tally)
{
	if (tally->count > 0)
		qsort(tally->items, tally->count, tally->kind->item_size, tally->kind->compare);
}
