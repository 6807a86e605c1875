/* SPDX-License-Identifier: MIT */
/* Counts by key, added up in batches of any size. */
#include "capture/tally.h"
#include "test.h"

#include <stdint.h>
#include <string.h>

struct item {
	uint32_t key, count;
};

static int compare_items(const void *left, const void *right)
{
	const struct item *a = left, *b = right;

	return (a->key > b->key) - (a->key < b->key);
}

static void add_items(void *sum, const void *item)
{
	((struct item *)sum)->count += ((const struct item *)item)->count;
}

/* Four keys have the same hash, so the keys must be compared; the next four are searched from seven slots later. */
static uint64_t hash_item(const void *item, uint64_t seed)
{
	return seed + ((const struct item *)item)->key / 4 * 7;
}

static const struct tally_kind kind = {sizeof(struct item), hash_item, compare_items, add_items};

#define KEYS 20000

static uint32_t next_random(uint32_t *state)
{
	*state = *state * 1664525 + 1013904223;
	return *state >> 8;
}

/* Batches of keys from a window that moves, so that some are known and some are new. */
TEST(counts_add_up_by_key_in_batches_of_any_size)
{
	for (uint32_t seed = 1; seed <= 20; seed++) {
		static uint32_t expected[KEYS];
		struct tally tally = {.kind = &kind};
		uint32_t random = seed, keys = 0;

		memset(expected, 0, sizeof expected);
		for (unsigned batch = 0; batch < 200; batch++) {
			struct item items[300];
			uint32_t window = seed % 4 == 0 ? KEYS : 1 + KEYS / 200 * batch;

			for (unsigned i = 0; i < 300; i++) {
				items[i] = (struct item){next_random(&random) % window, next_random(&random) % 5};
				keys += expected[items[i].key] == 0;
				expected[items[i].key] += 1 + items[i].count;
				items[i].count++;
			}
			assert_true(tally_add(&tally, items, batch % 10 == 0 ? 0 : 300));
			if (batch % 10 == 0)
				assert_true(tally_add(&tally, items, 300));
		}
		tally_sort(&tally);
		const struct item *items = tally.items;
		assert_int_equal(tally.count, keys);
		for (size_t i = 0; i < tally.count; i++) {
			assert_true(i == 0 || items[i - 1].key < items[i].key);
			assert_int_equal(items[i].count, expected[items[i].key]);
		}
		tally_free(&tally);
	}
}

TEST(memory_grows_with_keys_not_items)
{
	struct tally tally = {.kind = &kind};
	struct item items[1000];

	for (uint32_t batch = 0; batch < 1000; batch++) {
		for (uint32_t i = 0; i < 1000; i++)
			items[i] = (struct item){i * 7, 1};
		assert_true(tally_add(&tally, items, 1000));
	}
	assert_true(tally.slot_count <= 4096);
	tally_sort(&tally);
	assert_int_equal(tally.count, 1000);
	assert_int_equal(((struct item *)tally.items)[999].count, 1000);
	tally_free(&tally);
}

TEST(empty_tally_has_no_items)
{
	struct tally tally = {.kind = &kind};

	assert_true(tally_add(&tally, NULL, 0));
	tally_sort(&tally);
	assert_int_equal(tally.count, 0);
}
