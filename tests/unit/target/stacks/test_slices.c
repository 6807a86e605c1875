/* SPDX-License-Identifier: MIT */
/* The contents of slices, and stack pointers that are refused. */
#include "stacks.h"
#include "test.h"

#define WORD         sizeof(uintptr_t)
#define WORDS_COPIED (BAREPROF_STACK_BYTES / WORD)

EACH_TEST(stacks_begin, NULL);

static uintptr_t address(unsigned word)
{
	return (uintptr_t)stack + word * WORD;
}

static void assert_copied(struct stacks_slice slice, unsigned first, unsigned words, unsigned flags)
{
	assert_int_equal(slice.bytes, words * WORD);
	assert_int_equal(slice.flags, flags);
	assert_int_equal(slice.sp, address(first));
	assert_memory_equal(slice.words, &stack[first], words * WORD);
}

TEST(directory_lists_slices_and_totals)
{
	const uint32_t slices = arena_entry(BAREPROF_SECTION_SLICES);
	const uint32_t totals = arena_entry(BAREPROF_SECTION_STACK_TOTALS);
	const uint32_t end = arena_word(slices + BAREPROF_ENTRY_OFFSET) +
	                     16u * (uint32_t)BAREPROF_SLICE_SIZE(WORD, BAREPROF_STACK_BYTES);

	assert_int_equal(*arena_bytes(BAREPROF_OFFSET_DIRECTORY_COUNT), BAREPROF_DIRECTORY_CAPACITY + 2);
	assert_int_equal(arena_half(BAREPROF_OFFSET_HEADER_SIZE),
	                 BAREPROF_HEADER_SIZE(WORD) + BAREPROF_STACK_HEADER_SIZE);
	assert_int_equal(arena_word(totals + BAREPROF_ENTRY_OFFSET),
	                 BAREPROF_HEADER_SIZE(WORD) + BAREPROF_STACK_HEADER_SIZE - 4 * BAREPROF_STACK_TOTALS);
	assert_int_equal(arena_half(slices + BAREPROF_ENTRY_ITEM_SIZE), BAREPROF_SLICE_SIZE(WORD, 64));
	assert_int_equal(arena_word(slices + BAREPROF_ENTRY_CAPACITY), 16);
	assert_int_equal(arena_word(totals + BAREPROF_ENTRY_CAPACITY), BAREPROF_STACK_TOTALS);
	assert_in_range(end, arena_word(BAREPROF_OFFSET_BLOCK_SIZE) - 7, arena_word(BAREPROF_OFFSET_BLOCK_SIZE));
}

TEST(slice_has_registers_and_the_stack_from_sp_up)
{
	struct stacks_slice slice;

	stacks_tick(address(5));
	slice = stacks_slice(0);
	assert_int_equal(slice.number, 1);
	assert_int_equal(slice.number_again, 1);
	assert_int_equal(slice.context, UINT32_MAX);
	assert_int_equal(slice.pc, stacks_pc());
	assert_int_equal(slice.lr, ~address(5));
	assert_int_equal(slice.fp, address(5) + 4);
	assert_int_equal(slice.entry, 0xFFFFFFF9u);
	assert_copied(slice, 5, WORDS_COPIED, 0);
}

TEST(slice_is_whole_if_its_bytes_end_with_the_stack)
{
	stacks_tick(address(STACK_WORDS - WORDS_COPIED));
	stacks_tick(address(STACK_WORDS - WORDS_COPIED - 1));
	stacks_tick(address(STACK_WORDS - 1));
	stacks_tick(address(STACK_WORDS));
	assert_copied(stacks_slice(0), STACK_WORDS - WORDS_COPIED, WORDS_COPIED, BAREPROF_SLICE_IS_WHOLE);
	assert_copied(stacks_slice(1), STACK_WORDS - WORDS_COPIED - 1, WORDS_COPIED, 0);
	assert_copied(stacks_slice(2), STACK_WORDS - 1, 1, BAREPROF_SLICE_IS_WHOLE);
	assert_copied(stacks_slice(3), STACK_WORDS, 0, BAREPROF_SLICE_IS_WHOLE);
	assert_int_equal(stacks_total(BAREPROF_STACK_TOTAL_BAD), 0);
}

TEST(bad_stack_pointers_are_refused_and_counted)
{
	const uintptr_t bad[] = {0,
	                         UINTPTR_MAX,
	                         UINTPTR_MAX - WORD + 1,
	                         address(0) - WORD,
	                         address(STACK_WORDS) + WORD,
	                         address(5) + 1,
	                         address(5) + WORD / 2};

	for (unsigned i = 0; i < sizeof bad / sizeof bad[0]; i++) {
		struct stacks_slice slice;

		stacks_tick(bad[i]);
		slice = stacks_slice(i);
		assert_int_equal(slice.number, i + 1);
		assert_int_equal(slice.number_again, i + 1);
		assert_int_equal(slice.flags, BAREPROF_SLICE_IS_BAD);
		assert_int_equal(slice.bytes, 0);
		assert_int_equal(slice.pc, stacks_pc());
		assert_int_equal(slice.sp, bad[i]);
		assert_int_equal(stacks_total(BAREPROF_STACK_TOTAL_BAD), i + 1);
	}
}

TEST(each_of_four_ranges_is_a_place_for_stacks)
{
	for (unsigned i = 0; i < BAREPROF_RANGE_CAPACITY; i++)
		arena_layout.config.stacks[i] =
		        (struct bareprof_range){(const char *)&stack[8 * i], (const char *)&stack[8 * i + 4]};
	for (unsigned i = 0; i < BAREPROF_RANGE_CAPACITY; i++) {
		stacks_tick(address(8 * i + 1));
		assert_copied(stacks_slice(2 * i), 8 * i + 1, 3, BAREPROF_SLICE_IS_WHOLE);
		stacks_tick(address(8 * i + 6));
		assert_int_equal(stacks_slice(2 * i + 1).flags, BAREPROF_SLICE_IS_BAD);
	}
}

TEST(without_ranges_and_linker_symbols_every_stack_is_bad)
{
	arena_layout.config.stacks[0] = (struct bareprof_range){NULL, NULL};
	stacks_tick(address(5));
	assert_int_equal(stacks_slice(0).flags, BAREPROF_SLICE_IS_BAD);
}

static uintptr_t task_end;

static uintptr_t end_of_task(uintptr_t sp)
{
	(void)sp;
	return task_end;
}

TEST(end_of_the_task_cuts_the_range)
{
	arena_layout.config.stack_end = end_of_task;
	task_end = address(7);
	stacks_tick(address(5));
	assert_copied(stacks_slice(0), 5, 2, BAREPROF_SLICE_IS_WHOLE);
	task_end = address(7) + 1;
	stacks_tick(address(5));
	assert_copied(stacks_slice(1), 5, 2, BAREPROF_SLICE_IS_WHOLE);
}

TEST(end_of_a_task_beyond_the_range_is_ignored)
{
	const uintptr_t ends[] = {0, UINTPTR_MAX, address(4), address(STACK_WORDS + 1)};

	arena_layout.config.stack_end = end_of_task;
	for (unsigned i = 0; i < sizeof ends / sizeof ends[0]; i++) {
		task_end = ends[i];
		stacks_tick(address(STACK_WORDS - 3));
		assert_copied(stacks_slice(i), STACK_WORDS - 3, 3, BAREPROF_SLICE_IS_WHOLE);
	}
}

TEST(tick_without_registers_offers_nothing)
{
	bareprof_sample(stacks_pc());
	assert_int_equal(arena_word(BAREPROF_OFFSET_TICKS), 1);
	assert_int_equal(stacks_total(BAREPROF_STACK_TOTAL_OFFERED), 0);
	assert_int_equal(stacks_slice(0).number, 0);
}

TEST(stopped_profile_offers_nothing)
{
	bareprof_stop();
	stacks_tick(address(5));
	assert_int_equal(stacks_total(BAREPROF_STACK_TOTAL_OFFERED), 0);
	assert_int_equal(stacks_slice(0).number, 0);
}

TEST(handler_with_an_own_acknowledge_offers_stacks)
{
	const struct bareprof_interrupted interrupted = stacks_interrupted(address(9));

	bareprof_stack_sample(stacks_pc(), &interrupted);
	assert_copied(stacks_slice(0), 9, WORDS_COPIED, 0);
}
