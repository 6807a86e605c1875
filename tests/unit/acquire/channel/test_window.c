/* SPDX-License-Identifier: MIT */
/* Missing words of a range of memory: each is requested until it arrives, and never twice at a time. */
#include "acquire/channel/window.h"
#include "test.h"
#include "wire.h"

#include <string.h>

#define SIZE   0x1000u
#define OFFSET 0x40u

TEST(requests_cover_missing_words_in_order)
{
	struct window window;
	struct window_range range;

	assert_true(window_init(&window, OFFSET, SIZE));
	for (uint32_t offset = OFFSET; offset < OFFSET + SIZE; offset += range.size) {
		assert_true(window_ask(&window, 0x300, &range));
		assert_int_equal(range.offset, offset);
		assert_int_equal(range.size, offset + 0x300 < OFFSET + SIZE ? 0x300 : OFFSET + SIZE - offset);
		assert_false(range.is_repeat);
	}
	assert_false(window_ask(&window, 0x300, &range));
	assert_int_equal(window.missing, SIZE);
	window_release(&window, OFFSET + 0x10, OFFSET + 0x20);
	assert_true(window_ask(&window, 0x300, &range));
	assert_int_equal(range.offset, OFFSET + 0x10);
	assert_int_equal(range.size, 0x10);
	assert_true(range.is_repeat);
	window_free(&window);
}

/* A short gap between two losses is requested with them. */
TEST(short_gaps_are_bridged_and_long_ones_are_not)
{
	uint8_t bytes[SIZE] = {0};

	for (uint32_t gap = 4; gap <= 0x100; gap += 4) {
		struct window window;
		struct window_range range;

		assert_true(window_init(&window, 0, SIZE));
		window_fill(&window, 0x100, bytes, gap);
		window_fill(&window, 0x100 + gap + 8, bytes, SIZE - 0x100 - gap - 8);
		assert_true(window_ask(&window, SIZE, &range));
		assert_int_equal(range.offset, 0);
		assert_int_equal(range.size, gap <= 64 ? 0x108 + gap : 0x100);
		assert_int_equal(window_ask(&window, SIZE, &range), gap > 64);
		window_free(&window);
	}
}

/* The model: whether each word has arrived, and whether it was requested. */
struct model {
	bool there[SIZE / 4], asked[SIZE / 4];
	uint8_t bytes[SIZE];
};

static void ask(struct window *window, struct model *model, uint64_t *seed)
{
	struct window_range range;
	uint32_t first = 0, size = 4 + wire_random(seed, 64) * 4;

	while (first < SIZE / 4 && (model->there[first] || model->asked[first]))
		first++;
	assert_int_equal(window_ask(window, size, &range), first < SIZE / 4);
	if (first == SIZE / 4)
		return;
	assert_int_equal(range.offset, OFFSET + first * 4);
	assert_true(range.size >= 4 && range.size <= size);
	for (uint32_t word = first; word < first + range.size / 4; word++) {
		assert_false(model->asked[word]);
		model->asked[word] = !model->there[word];
	}
	assert_true(model->asked[first + range.size / 4 - 1]);
}

static void fill(struct window *window, struct model *model, uint64_t *seed)
{
	uint8_t bytes[256];
	uint32_t word = wire_random(seed, SIZE / 4), fresh = 0;
	uint32_t count = 1 + wire_random(seed, word + 64 < SIZE / 4 ? 64 : SIZE / 4 - word);

	for (uint32_t i = 0; i < 4 * count; i++)
		model->bytes[4 * word + i] = bytes[i] = (uint8_t)wire_random(seed, 256);
	for (uint32_t i = 0; i < count; i++) {
		fresh += model->there[word + i] ? 0 : 4;
		model->there[word + i] = true;
		model->asked[word + i] = false;
	}
	assert_int_equal(window_fill(window, OFFSET + 4 * word, bytes, 4 * count), fresh);
}

static void release(struct window *window, struct model *model, uint64_t *seed)
{
	uint32_t begin = wire_random(seed, SIZE / 4), end = begin + wire_random(seed, SIZE / 4 - begin + 1);

	for (uint32_t word = begin; word < end; word++)
		model->asked[word] = false;
	window_release(window, OFFSET + 4 * begin, OFFSET + 4 * end);
}

TEST(any_order_of_events_agrees_with_a_model)
{
	static struct model model;

	for (uint64_t seed = 1; seed <= 50; seed++) {
		uint64_t random = seed;
		struct window window;

		memset(&model, 0, sizeof model);
		assert_true(window_init(&window, OFFSET, SIZE));
		while (window.missing > 0) {
			uint32_t kind = wire_random(&random, 8);

			(kind < 4 ? ask : kind < 7 ? fill : release)(&window, &model, &random);
		}
		for (uint32_t word = 0; word < SIZE / 4; word++)
			assert_true(model.there[word]);
		assert_memory_equal(window.bytes, model.bytes, SIZE);
		window_free(&window);
	}
}
