/* SPDX-License-Identifier: MIT */
/* The dense stores: each sample is in one bin or is counted as outside. */
#include "arena.h"
#include "test.h"

static uint32_t bins_shift(void)
{
	return *arena_bytes(arena_entry(BAREPROF_SECTION_BINS) + BAREPROF_ENTRY_PARAMETER);
}

TEST(bins_are_as_fine_as_they_fit)
{
	static const struct {
		uint32_t bytes, bins, shift;
	} cases[] = {{32, 16, 1},     {33, 16, 2},          {64, 16, 2},          {65, 16, 3},
	             {31, 16, 1},     {4096, 64, 6},        {4097, 64, 7},        {1, 16, 1},
	             {4096, 2048, 1}, {0x40000000, 16, 26}, {0xFFFFFFF0u, 16, 28}};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		arena_begin(8, cases[i].bins);
		arena_set_range(0, 0x1000, 0x1000 + (uintptr_t)cases[i].bytes);
		bareprof_init();
		assert_int_equal(bins_shift(), cases[i].shift);
	}
}

TEST(without_ranges_the_text_is_sampled)
{
	uintptr_t range[2];

	arena_begin(8, 64);
	arena_init_and_start();
	for (unsigned i = 0; i < sizeof range; i++)
		((uint8_t *)range)[i] = *arena_bytes(BAREPROF_OFFSET_RANGES + i);
	assert_int_equal(range[0], (uintptr_t)bareprof_text_start);
	assert_int_equal(range[1], (uintptr_t)bareprof_text_end);
	assert_int_equal(bins_shift(), 6);
	bareprof_sample((uintptr_t)bareprof_text_start + 65);
	assert_int_equal(arena_bin(1), 1);
}

TEST(a_range_counts_from_its_start_to_before_its_end)
{
	arena_begin(8, 16);
	arena_set_range(0, 0x1000, 0x1020);
	arena_init_and_start();
	bareprof_sample(0x0FFF);
	bareprof_sample(0x1000);
	bareprof_sample(0x101F);
	bareprof_sample(0x1020);
	assert_int_equal(arena_bin(0), 1);
	assert_int_equal(arena_bin(15), 1);
	assert_int_equal(arena_word(BAREPROF_OFFSET_SAMPLES_OUTSIDE), 2);
	assert_int_equal(arena_word(BAREPROF_OFFSET_TICKS), 4);
}

TEST(ranges_share_the_bins_one_after_the_other)
{
	arena_begin(8, 16);
	arena_set_range(0, 0x5000, 0x500A); /* 10 bytes: 3 bins of 4 */
	arena_set_range(1, 0x2000, 0x2000); /* empty: none */
	arena_set_range(3, 0x1000, 0x1034); /* 52 bytes: 13 bins */
	arena_init_and_start();
	assert_int_equal(bins_shift(), 2);
	bareprof_sample(0x5009);
	bareprof_sample(0x1000);
	bareprof_sample(0x1033);
	bareprof_sample(0x500A);
	assert_int_equal(arena_bin(2), 1);
	assert_int_equal(arena_bin(3), 1);
	assert_int_equal(arena_bin(15), 1);
	assert_int_equal(arena_word(BAREPROF_OFFSET_SAMPLES_OUTSIDE), 1);
}

TEST(every_tick_is_in_a_bin_or_outside)
{
	for (uint32_t seed = 1; seed <= 100; seed++) {
		arena_begin(8, 64);
		if (seed > 50)
			arena_use_wide_bins(8, seed - 34);
		arena_seed(seed);
		for (unsigned i = 0; i < BAREPROF_RANGE_CAPACITY; i++) {
			uintptr_t start = 0x10000u * (i + 1) + arena_random() % 256;

			arena_set_range(i, start, start + arena_random() % 8192);
		}
		arena_init_and_start();
		arena_remember();
		for (unsigned i = 0; i < 5000; i++)
			bareprof_sample(0xF000 + arena_random() % 0x44000);
		assert_int_equal(arena_word(BAREPROF_OFFSET_TICKS), 5000);
		assert_int_equal(arena_samples(BAREPROF_SECTION_BINS) + arena_word(BAREPROF_OFFSET_SAMPLES_OUTSIDE),
		                 5000);
		assert_true(arena_samples(BAREPROF_SECTION_BINS) > 0);
		assert_true(arena_is_untouched_outside_block());
	}
}

TEST(a_full_bin_counts_lost_samples_as_saturated)
{
	arena_begin(8, 16);
	arena_set_range(0, 0x1000, 0x1020);
	arena_init_and_start();
	for (unsigned i = 0; i < 0x10002; i++)
		bareprof_sample(0x1002);
	assert_int_equal(arena_bin(1), 0xFFFF);
	assert_int_equal(arena_word(BAREPROF_OFFSET_SATURATED), 3);
	assert_int_equal(arena_word(BAREPROF_OFFSET_TICKS), 0x10002);
}

TEST(a_wide_bin_counts_beyond_the_limit_of_a_narrow_one)
{
	arena_begin(8, 16);
	arena_use_wide_bins(8, 16);
	arena_set_range(0, 0x1000, 0x1020);
	arena_init_and_start();
	for (unsigned i = 0; i < 0x10002; i++)
		bareprof_sample(0x1002);
	assert_int_equal(arena_bin(1), 0x10002);
	assert_int_equal(arena_word(BAREPROF_OFFSET_SATURATED), 0);
	arena_set_bin(1, BAREPROF_COUNTER_LIMIT - 1);
	bareprof_sample(0x1002);
	bareprof_sample(0x1002);
	assert_int_equal(arena_bin(1), BAREPROF_COUNTER_LIMIT);
	assert_int_equal(arena_word(BAREPROF_OFFSET_SATURATED), 1);
}

TEST(missed_ticks_are_added_if_the_timer_counts_them)
{
	arena_begin(8, 16);
	arena_layout.config.counts_missed_ticks = 1;
	arena_init_and_start();
	bareprof_tick_missed(2);
	bareprof_tick_missed(3);
	assert_int_equal(arena_word(BAREPROF_OFFSET_TICKS_MISSED), 5);
	bareprof_tick_missed(0xFFFFFFFFu);
	assert_int_equal(arena_word(BAREPROF_OFFSET_TICKS_MISSED), BAREPROF_COUNTER_LIMIT);
	bareprof_tick_missed(1);
	assert_int_equal(arena_word(BAREPROF_OFFSET_TICKS_MISSED), BAREPROF_COUNTER_LIMIT);
}

TEST(missed_ticks_stay_unknown_otherwise)
{
	arena_begin_running(8, 16);
	bareprof_tick_missed(2);
	assert_int_equal(arena_word(BAREPROF_OFFSET_TICKS_MISSED), BAREPROF_UNKNOWN);
}
