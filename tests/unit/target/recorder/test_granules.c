/* SPDX-License-Identifier: MIT */
/* The sparse store: each sample is in a granule, in a coarse bin or outside, and each granule has one slot. */
#include "arena.h"
#include "test.h"

static void begin(uint32_t granules, uint8_t shift, uint32_t coarse)
{
	arena_begin(8, 16);
	arena_use_granules(8, granules, shift, coarse);
}

static void begin_running(uint32_t granules, uint8_t shift, uint32_t coarse, uintptr_t start, uintptr_t end)
{
	begin(granules, shift, coarse);
	arena_set_range(0, start, end);
	arena_init_and_start();
}

static void assert_granule(uintptr_t number, uint64_t samples)
{
	uint32_t slots;

	assert_int_equal(arena_granule_samples(0, number, &slots), samples);
	assert_int_equal(slots, samples != 0);
}

static void assert_all_samples_are_kept(uint32_t ticks)
{
	assert_int_equal(arena_word(BAREPROF_OFFSET_TICKS), ticks);
	assert_int_equal(arena_samples(BAREPROF_SECTION_GRANULES) + arena_samples(BAREPROF_SECTION_COARSE) +
	                         arena_word(BAREPROF_OFFSET_SAMPLES_OUTSIDE),
	                 ticks);
	assert_int_equal(arena_word(BAREPROF_OFFSET_SAMPLES_TABLE_FULL), arena_samples(BAREPROF_SECTION_COARSE));
	assert_int_equal(arena_word(BAREPROF_OFFSET_SATURATED), 0);
}

TEST(a_sample_is_filed_under_the_granule_of_its_pc)
{
	begin_running(8, 4, 4, 0x1000, 0x2000);
	for (uintptr_t pc = 0x1230; pc < 0x1240; pc += 2)
		bareprof_sample(pc);
	bareprof_sample(0x1240);
	bareprof_sample(0x0FFE);
	bareprof_sample(0x2000);
	assert_granule(0x123, 8);
	assert_granule(0x124, 1);
	assert_int_equal(arena_word(BAREPROF_OFFSET_SAMPLES_OUTSIDE), 2);
	assert_all_samples_are_kept(11);
}

/* The number of a free slot is 0, too. */
TEST(granule_0_is_a_granule)
{
	begin_running(8, 4, 4, 0, 0x100);
	bareprof_sample(0x10);
	for (unsigned i = 0; i < 3; i++)
		bareprof_sample(0);
	assert_granule(0, 3);
	assert_granule(1, 1);
	assert_all_samples_are_kept(4);
}

TEST(secure_code_is_a_granule_outside_every_range)
{
	begin_running(8, 2, 4, 0x1000, 0x2000);
	bareprof_sample(BAREPROF_PC_SECURE);
	bareprof_sample(BAREPROF_PC_SECURE);
	assert_granule(BAREPROF_PC_SECURE >> 2, 2);
	assert_int_equal(arena_word(BAREPROF_OFFSET_SAMPLES_OUTSIDE), 0);
	assert_all_samples_are_kept(2);
}

TEST(a_full_table_counts_secure_code_as_outside)
{
	begin_running(8, 2, 4, 0x1000, 0x2000);
	for (uintptr_t pc = 0x1000; pc < 0x1020; pc += 4)
		bareprof_sample(pc);
	assert_int_equal(arena_samples(BAREPROF_SECTION_GRANULES), 8);
	bareprof_sample(BAREPROF_PC_SECURE);
	assert_int_equal(arena_word(BAREPROF_OFFSET_SAMPLES_OUTSIDE), 1);
	assert_all_samples_are_kept(9);
}

/* The distance between probes is odd, so they reach each slot. */
TEST(a_table_is_filled_to_its_last_slot)
{
	for (uint32_t seed = 1; seed <= 200; seed++) {
		begin_running(8, 4, 4, 0, 0x40000000);
		arena_seed(seed);
		for (uintptr_t i = 0; i < 8; i++)
			bareprof_sample(arena_random() % 0x8000000 + i * 0x8000000);
		for (uint32_t slot = 0; slot < 8; slot++)
			assert_int_equal(arena_granule(slot).count, 1);
		assert_all_samples_are_kept(8);
	}
}

TEST(samples_beyond_a_full_table_are_in_their_coarse_bin)
{
	begin_running(8, 4, 4, 0x1000, 0x1400); /* 4 coarse bins of 256 bytes */
	for (uintptr_t pc = 0x1000; pc < 0x1080; pc += 16)
		bareprof_sample(pc);
	bareprof_sample(0x1080);
	bareprof_sample(0x12F0);
	bareprof_sample(0x12F0);
	bareprof_sample(0x13FE);
	assert_int_equal(*arena_bytes(arena_entry(BAREPROF_SECTION_COARSE) + BAREPROF_ENTRY_PARAMETER), 8);
	assert_int_equal(arena_coarse(0), 1);
	assert_int_equal(arena_coarse(1), 0);
	assert_int_equal(arena_coarse(2), 2);
	assert_int_equal(arena_coarse(3), 1);
	assert_all_samples_are_kept(12);
}

/* Two samples in three hit a small part of the code, as in firmware; the rest hit all of it and other addresses. */
static uintptr_t random_pc(void)
{
	const uint32_t random = arena_random();

	if (random % 3 != 0)
		return 0x10000 + random / 3 % 64 * 2;
	return random / 3 % 7 == 0 ? BAREPROF_PC_SECURE : random / 21 % 0x60000;
}

TEST(every_tick_is_in_a_granule_a_coarse_bin_or_outside)
{
	for (uint32_t seed = 1; seed <= 100; seed++) {
		begin(8u << seed % 6, (uint8_t)(1 + seed % 12), 4 + seed % 3 * 7);
		arena_seed(seed);
		for (unsigned i = 0; i < 1 + seed % BAREPROF_RANGE_CAPACITY; i++) {
			const uintptr_t start = 0x10000u * (i + 1) + arena_random() % 256;

			arena_set_range(i, start, start + arena_random() % 8192);
		}
		arena_init_and_start();
		arena_remember();
		for (unsigned i = 0; i < 5000; i++)
			bareprof_sample(random_pc());
		assert_all_samples_are_kept(5000);
		assert_true(arena_samples(BAREPROF_SECTION_GRANULES) > 0);
		assert_true(arena_is_untouched_outside_block());
	}
}

TEST(each_granule_has_one_slot)
{
	for (uint32_t seed = 1; seed <= 20; seed++) {
		begin_running(64, 3, 8, 0, 0x60000);
		arena_seed(seed);
		for (unsigned i = 0; i < 2000; i++)
			bareprof_sample(random_pc());
		for (uint32_t slot = 0; slot < 64; slot++) {
			const struct arena_granule granule = arena_granule(slot);

			if (granule.count != 0)
				assert_granule(granule.number, granule.count);
		}
	}
}

static void fill_with_granules_one_below_the_limit(void)
{
	begin_running(8, 4, 4, 0x1000, 0x1400);
	for (uintptr_t pc = 0x1000; pc < 0x1080; pc += 16)
		bareprof_sample(pc);
	for (uint32_t slot = 0; slot < 8; slot++)
		arena_set_granule_count(slot, BAREPROF_COUNTER_LIMIT - 1);
}

TEST(samples_of_a_full_granule_go_to_coarse_bins)
{
	fill_with_granules_one_below_the_limit();
	bareprof_sample(0x1000);
	bareprof_sample(0x1000);
	assert_granule(0x100, BAREPROF_COUNTER_LIMIT);
	assert_int_equal(arena_coarse(0), 1);
	assert_int_equal(arena_word(BAREPROF_OFFSET_SATURATED), 0);
}

TEST(a_full_coarse_bin_counts_lost_samples_as_saturated)
{
	fill_with_granules_one_below_the_limit();
	arena_set_word(arena_word(arena_entry(BAREPROF_SECTION_COARSE) + BAREPROF_ENTRY_OFFSET) + 4,
	               BAREPROF_COUNTER_LIMIT - 1);
	bareprof_sample(0x1100);
	bareprof_sample(0x1100);
	assert_int_equal(arena_coarse(1), BAREPROF_COUNTER_LIMIT);
	assert_int_equal(arena_word(BAREPROF_OFFSET_SATURATED), 1);
	assert_int_equal(arena_word(BAREPROF_OFFSET_SAMPLES_TABLE_FULL), 2);
}

/* RAM holds the block of an old build, with an open gate; the new build is smaller and has not called init yet. */
TEST(block_of_another_build_causes_no_access_outside_it)
{
	for (uint32_t seed = 1; seed <= 500; seed++) {
		begin(8u << seed % 3, (uint8_t)(1 + seed % 12), 4 + seed % 9);
		arena_fill_random(seed);
		arena_set_state(BAREPROF_STATE_RUNNING);
		arena_remember();
		for (unsigned i = 0; i < 200; i++)
			bareprof_sample(arena_random());
		assert_true(arena_is_untouched_outside_block());
	}
}

TEST(a_reset_empties_granules_and_coarse_bins)
{
	begin_running(8, 4, 4, 0, 0x40000);
	for (uintptr_t pc = 0; pc < 0x40000; pc += 64)
		bareprof_sample(pc);
	bareprof_reset();
	arena_finish_reset();
	assert_all_samples_are_kept(0);
	bareprof_sample(0x10);
	assert_granule(1, 1);
}
