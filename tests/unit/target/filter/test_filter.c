/* SPDX-License-Identifier: MIT */
/* The words that filtered slices keep, and slices without room for all of them. */
#include "filter.h"
#include "test.h"

#include <string.h>

#define WORD        sizeof(uintptr_t)
#define GROUP       BAREPROF_SLICE_GROUP_WORDS(WORD)
#define ROOM        (BAREPROF_STACK_FILTER / WORD)
#define LOOKED_AT   (BAREPROF_STACK_BYTES / WORD)
#define STACK_WORDS 200u

static uintptr_t stack[STACK_WORDS];

static void acknowledge(uint32_t clock_units)
{
	(void)clock_units;
}

/* All words are even and too small for addresses. */
static int begin(void **state)
{
	(void)state;
	for (unsigned i = 0; i < STACK_WORDS; i++)
		stack[i] = 2 * i;
	arena_begin(8, 16);
	arena_layout.config.stacks[0] =
	        (struct bareprof_range){(const char *)stack, (const char *)(stack + STACK_WORDS)};
	arena_init_and_start();
	return 0;
}

EACH_TEST(begin, NULL);

static uintptr_t address(unsigned word)
{
	return (uintptr_t)stack + word * WORD;
}

/* A return address with the Thumb bit. */
static uintptr_t code(uintptr_t offset)
{
	return (uintptr_t)bareprof_text_start + offset + 1;
}

static void tick(unsigned first)
{
	const struct bareprof_interrupted interrupted = {.sp = address(first)};

	bareprof_stack_tick((uintptr_t)bareprof_text_start, acknowledge, &interrupted);
}

struct slice {
	uint32_t number, number_again;
	uint16_t bytes, flags;
	uintptr_t words[ROOM];
};

static struct slice slice_at(uint32_t place)
{
	const uint8_t *bytes = arena_bytes(arena_item(BAREPROF_SECTION_SLICES, place));
	struct slice slice;

	memcpy(&slice.number, bytes + BAREPROF_SLICE_NUMBER, 4);
	memcpy(&slice.bytes, bytes + BAREPROF_SLICE_BYTES, 2);
	memcpy(&slice.flags, bytes + BAREPROF_SLICE_FLAGS, 2);
	memcpy(slice.words, bytes + BAREPROF_SLICE_WORDS(WORD), sizeof slice.words);
	memcpy(&slice.number_again,
	       bytes + BAREPROF_SLICE_NUMBER_AGAIN(BAREPROF_SLICE_SIZE(WORD, BAREPROF_STACK_FILTER)), 4);
	return slice;
}

/* The slice at place has these words of the stack from `first` on, and no others, in groups. */
static void assert_kept(uint32_t place, unsigned first, const unsigned *kept, unsigned count)
{
	const struct slice slice = slice_at(place);
	const unsigned words = (unsigned)(slice.bytes / WORD);
	unsigned at = 0, seen = 0;

	assert_int_equal(slice.number, place + 1);
	assert_int_equal(slice.number_again, place + 1);
	for (unsigned group = 0; group < words; group += GROUP) {
		const uintptr_t bits = slice.words[at++];

		for (unsigned i = group; i < words && i < group + GROUP; i++) {
			const bool is_expected = seen < count && kept[seen] == first + i;

			assert_int_equal(bits >> (i - group) & 1, is_expected);
			if (!is_expected)
				continue;
			seen++;
			assert_true(at < ROOM);
			assert_int_equal(slice.words[at++], stack[first + i]);
		}
	}
	assert_int_equal(seen, count);
}

static void assert_length(uint32_t place, unsigned words, unsigned flags)
{
	assert_int_equal(slice_at(place).bytes, words * WORD);
	assert_int_equal(slice_at(place).flags, flags);
}

TEST(directory_says_that_slices_are_filtered)
{
	const uint32_t slices = arena_entry(BAREPROF_SECTION_SLICES);

	assert_int_equal(*arena_bytes(slices + BAREPROF_ENTRY_PARAMETER), BAREPROF_SLICES_FILTERED);
	assert_int_equal(arena_half(slices + BAREPROF_ENTRY_ITEM_SIZE), BAREPROF_SLICE_SIZE(WORD, 80));
}

TEST(return_addresses_and_pointers_into_the_stack_are_kept)
{
	const unsigned kept[] = {103, 105, 106, 107, 108, 110, 199};

	stack[103] = code(0x100);
	stack[105] = code(ARENA_TEXT_SIZE); /* after a call that is the last instruction */
	stack[106] = address(100);
	stack[107] = address(150);
	stack[108] = address(STACK_WORDS);
	stack[110] = code(2);
	stack[199] = 0xFFFFFFF9u;
	tick(100);
	assert_kept(0, 100, kept, sizeof kept / sizeof kept[0]);
	assert_length(0, 100, BAREPROF_SLICE_IS_WHOLE);
}

TEST(other_words_are_left_out)
{
	const uintptr_t others[] = {0,
	                            1,
	                            2,
	                            3,
	                            UINTPTR_MAX,
	                            code(0), /* no call is before it */
	                            code(ARENA_TEXT_SIZE + 2),
	                            code(0x100) - 1,
	                            code(0) - 2,
	                            address(100) - WORD,
	                            address(STACK_WORDS) + WORD,
	                            address(150) + 1,
	                            0xFFFFFFDFu};

	memcpy(&stack[100], others, sizeof others);
	tick(100);
	assert_kept(0, 100, NULL, 0);
	assert_length(0, 100, BAREPROF_SLICE_IS_WHOLE);
}

/* Ranges in any order; an address between them is not in code. */
TEST(sampled_ranges_are_code_in_addition_to_text)
{
	const unsigned kept[] = {100, 101, 103, 105};
	const uintptr_t text = (uintptr_t)bareprof_text_start;

	arena_set_range(0, text + 0x9000, text + 0x9100);
	arena_set_range(1, 0, 0);
	arena_set_range(2, text - 0x1000, text - 0xF00);
	stack[100] = code(0x9010);
	stack[101] = text - 0xFFF + 0x10;
	stack[102] = code(0x8010);
	stack[103] = code(0x10);
	stack[104] = text - 0xF00 + 5;
	stack[105] = code(0x9100);
	stack[106] = code(0x9102);
	tick(100);
	assert_kept(0, 100, kept, sizeof kept / sizeof kept[0]);
}

/* The last word is beyond the bytes that are looked at. */
TEST(bits_of_each_group_are_followed_by_its_words)
{
	const unsigned kept[] = {1, GROUP - 1, GROUP, 2 * GROUP - 1};

	for (unsigned i = 0; i < sizeof kept / sizeof kept[0]; i++)
		stack[kept[i]] = code(16 * i + 4);
	stack[LOOKED_AT] = code(4);
	tick(0);
	assert_kept(0, 0, kept, sizeof kept / sizeof kept[0]);
	assert_length(0, LOOKED_AT, 0);
}

/* Words from `first` on that are kept. */
static void fill(unsigned first, unsigned count, unsigned *kept)
{
	for (unsigned i = 0; i < count; i++) {
		stack[first + i] = code(4 * i + 4);
		kept[i] = first + i;
	}
}

TEST(slice_ends_before_the_first_word_without_room)
{
	unsigned kept[ROOM];

	fill(150, ROOM, kept);
	tick(148);
	assert_kept(0, 148, kept, ROOM - 1);
	assert_length(0, ROOM + 1, 0);

	stack[150 + ROOM - 1] = 0;
	tick(148);
	assert_kept(1, 148, kept, ROOM - 1);
	assert_length(1, STACK_WORDS - 148, BAREPROF_SLICE_IS_WHOLE);
}

TEST(slice_ends_with_a_group_if_the_next_has_no_room)
{
	unsigned kept[ROOM];

	fill(120, ROOM - 1, kept);
	tick(100);
	assert_kept(0, 100, kept, ROOM - 1);
	assert_length(0, GROUP, 0);

	tick(STACK_WORDS - GROUP - 20);
	assert_kept(1, STACK_WORDS - GROUP - 20, kept, ROOM - 1);
	assert_length(1, GROUP, 0);
}

TEST(stack_of_whole_groups_may_fill_the_slice)
{
	unsigned kept[ROOM];

	fill(STACK_WORDS - ROOM + 1, ROOM - 1, kept);
	tick(STACK_WORDS - GROUP);
	assert_kept(0, STACK_WORDS - GROUP, kept, ROOM - 1);
	assert_length(0, GROUP, BAREPROF_SLICE_IS_WHOLE);
}

TEST(full_slice_leaves_its_neighbours_alone)
{
	unsigned kept[STACK_WORDS];

	fill(0, STACK_WORDS, kept);
	tick(0);
	assert_kept(0, 0, kept, ROOM - 1);
	assert_int_equal(slice_at(1).number, 0);
	tick(STACK_WORDS);
	assert_length(1, 0, BAREPROF_SLICE_IS_WHOLE);
	tick(0);
	assert_kept(0, 0, kept, ROOM - 1);
	assert_length(1, 0, BAREPROF_SLICE_IS_WHOLE);
	assert_int_equal(slice_at(3).number, 0);
}

TEST(bad_stack_pointer_leaves_no_groups)
{
	tick(STACK_WORDS + 1);
	assert_length(0, 0, BAREPROF_SLICE_IS_BAD);
	assert_int_equal(slice_at(0).words[0], 0);
}

static uintptr_t end_of_task(uintptr_t sp)
{
	return sp + 8 * WORD;
}

/* Pointers into other tasks' stacks are not needed. */
TEST(stack_ends_with_the_task)
{
	const unsigned kept[] = {50, 51};

	arena_layout.config.stack_end = end_of_task;
	stack[50] = address(50);
	stack[51] = address(58);
	stack[52] = address(59);
	tick(50);
	assert_kept(0, 50, kept, sizeof kept / sizeof kept[0]);
	assert_length(0, 8, BAREPROF_SLICE_IS_WHOLE);
}
