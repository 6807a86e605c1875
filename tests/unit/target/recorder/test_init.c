/* SPDX-License-Identifier: MIT */
/* bareprof_init() after power-up and after a warm reset. */
#include "arena.h"
#include "test.h"

#include <string.h>

#define ADDRESS_SIZE sizeof(uintptr_t)

static void assert_empty_block(void)
{
	assert_memory_equal(arena_bytes(BAREPROF_OFFSET_MAGIC), BAREPROF_MAGIC, BAREPROF_MAGIC_SIZE);
	assert_int_equal(arena_state(), BAREPROF_STATE_STOPPED);
	for (uint32_t offset = BAREPROF_HEADER_SIZE((uint32_t)ADDRESS_SIZE); offset < arena_layout.block_size;
	     offset += 4)
		assert_int_equal(arena_word(offset), 0);
	assert_int_equal(arena_word(BAREPROF_OFFSET_EPOCH), 0);
	assert_int_equal(arena_word(BAREPROF_OFFSET_RESET_COUNT), 0);
	assert_int_equal(arena_word(BAREPROF_OFFSET_CONTROL_REQUEST), arena_word(BAREPROF_OFFSET_CONTROL_ACKNOWLEDGE));
}

TEST(init_describes_the_block)
{
	uint64_t address;

	arena_begin(64, 256);
	arena_layout.config.core = 3;
	bareprof_init();
	assert_empty_block();
	assert_int_equal(arena_half(BAREPROF_OFFSET_BYTE_ORDER), BAREPROF_BYTE_ORDER_MARK);
	assert_int_equal(*arena_bytes(BAREPROF_OFFSET_MAJOR), BAREPROF_FORMAT_MAJOR);
	assert_int_equal(*arena_bytes(BAREPROF_OFFSET_MINOR), BAREPROF_FORMAT_MINOR);
	assert_int_equal(*arena_bytes(BAREPROF_OFFSET_ADDRESS_SIZE), ADDRESS_SIZE);
	assert_int_equal(*arena_bytes(BAREPROF_OFFSET_DIRECTORY_COUNT), BAREPROF_DIRECTORY_CAPACITY);
	assert_int_equal(arena_half(BAREPROF_OFFSET_HEADER_SIZE), BAREPROF_HEADER_SIZE(ADDRESS_SIZE));
	memcpy(&address, arena_bytes(BAREPROF_OFFSET_BLOCK_ADDRESS), sizeof address);
	assert_int_equal(address, (uintptr_t)arena_bytes(0));
	assert_int_equal(arena_word(BAREPROF_OFFSET_BLOCK_SIZE), arena_layout.block_size);
	assert_int_equal(arena_word(BAREPROF_OFFSET_CLOCK_HZ), 1000);
	assert_int_equal(arena_word(BAREPROF_OFFSET_PERIOD), 10);
	assert_int_equal(arena_word(BAREPROF_OFFSET_TICKS_MISSED), BAREPROF_UNKNOWN);
	assert_int_equal(*arena_bytes(BAREPROF_OFFSET_CORE), 3);
	assert_string_equal((char *)arena_bytes(BAREPROF_OFFSET_BOARD), "native");
}

TEST(init_lays_out_ranges_bins_and_arcs)
{
	uint32_t ranges, bins, arcs;
	uint32_t header_size = BAREPROF_HEADER_SIZE((uint32_t)ADDRESS_SIZE);

	arena_begin(64, 256);
	bareprof_init();
	ranges = arena_entry(BAREPROF_SECTION_RANGES);
	bins = arena_entry(BAREPROF_SECTION_BINS);
	arcs = arena_entry(BAREPROF_SECTION_ARCS);
	assert_int_equal(arena_word(ranges + BAREPROF_ENTRY_OFFSET), BAREPROF_OFFSET_RANGES);
	assert_int_equal(arena_half(ranges + BAREPROF_ENTRY_ITEM_SIZE), 2 * ADDRESS_SIZE);
	assert_int_equal(arena_word(ranges + BAREPROF_ENTRY_CAPACITY), BAREPROF_RANGE_CAPACITY);
	assert_int_equal(arena_word(arcs + BAREPROF_ENTRY_OFFSET), header_size);
	assert_int_equal(arena_half(arcs + BAREPROF_ENTRY_ITEM_SIZE), 3 * ADDRESS_SIZE);
	assert_int_equal(arena_word(arcs + BAREPROF_ENTRY_CAPACITY), 64);
	assert_int_equal(arena_word(arcs + BAREPROF_ENTRY_USED), 64);
	assert_int_equal(*arena_bytes(arcs + BAREPROF_ENTRY_PARAMETER), 0);
	assert_int_equal(arena_word(bins + BAREPROF_ENTRY_OFFSET), header_size + 64 * 3 * ADDRESS_SIZE);
	assert_int_equal(arena_half(bins + BAREPROF_ENTRY_ITEM_SIZE), 2);
	assert_int_equal(arena_word(bins + BAREPROF_ENTRY_CAPACITY), 256);
}

TEST(init_turns_any_garbage_into_an_empty_block)
{
	arena_begin(64, 256);
	for (uint32_t seed = 1; seed <= 200; seed++) {
		arena_fill_random(seed);
		arena_remember();
		bareprof_init();
		assert_empty_block();
		assert_true(arena_is_untouched_outside_block());
	}
}

static void record_something(void)
{
	bareprof_arc(0x1000, 0x2000);
	bareprof_sample((uintptr_t)bareprof_text_start);
}

TEST(a_warm_reset_keeps_the_block_in_each_state_but_a_reset)
{
	for (uint32_t before = 0; before <= BAREPROF_STATE_MAX; before++) {
		arena_begin_running(64, 256);
		record_something();
		arena_set_state(before);
		bareprof_init();
		assert_int_equal(arena_state(), BAREPROF_STATE_STOPPED);
		assert_int_equal(arena_word(BAREPROF_OFFSET_RESET_COUNT), before < BAREPROF_STATE_CLEARING);
		assert_int_equal(arena_calls(), before < BAREPROF_STATE_CLEARING);
	}
}

static bool start_is_cold;

static bool is_cold_start(void)
{
	return start_is_cold;
}

TEST(cold_start_keeps_nothing)
{
	for (unsigned cold = 0; cold < 2; cold++) {
		arena_begin_running(64, 256);
		arena_layout.config.is_cold_start = is_cold_start;
		record_something();
		start_is_cold = cold;
		bareprof_init();
		assert_int_equal(arena_word(BAREPROF_OFFSET_RESET_COUNT), !cold);
		assert_int_equal(arena_calls(), !cold);
		if (cold)
			assert_empty_block();
	}
}

TEST(the_count_of_warm_resets_stops_at_its_maximum)
{
	arena_begin_running(64, 256);
	arena_set_word(BAREPROF_OFFSET_RESET_COUNT, BAREPROF_COUNTER_LIMIT);
	bareprof_init();
	assert_int_equal(arena_word(BAREPROF_OFFSET_RESET_COUNT), BAREPROF_COUNTER_LIMIT);
}

TEST(another_identity_layout_or_rate_starts_an_empty_block)
{
	for (unsigned change = 0; change < 6; change++) {
		arena_begin_running(64, 256);
		record_something();
		if (change == 0)
			arena_note[4]++;
		else if (change == 1)
			arena_use_bins(64, 248);
		else if (change == 2)
			arena_use_bins(32, 256);
		else if (change == 3)
			arena_layout.config.clock_hz++;
		else if (change == 4)
			arena_layout.config.period++;
		else
			arena_set_range(0, (uintptr_t)bareprof_text_start, (uintptr_t)bareprof_text_start + 2048);
		bareprof_init();
		assert_empty_block();
		assert_int_equal(arena_samples(BAREPROF_SECTION_BINS), 0);
	}
}

/* The bytes that identify the build: all except the gate, control, counters, progress and the random number. */
static bool is_fixed_by_the_build(uint32_t offset)
{
	const uint32_t private_start = BAREPROF_OFFSET_RANGES + 2 * BAREPROF_RANGE_CAPACITY * (uint32_t)ADDRESS_SIZE;

	if (offset >= BAREPROF_OFFSET_RANDOM && offset < BAREPROF_OFFSET_DIRECTORY)
		return false;
	return offset < BAREPROF_OFFSET_GATE || (offset >= BAREPROF_OFFSET_IDENTITY_KIND && offset < private_start);
}

TEST(damaged_identity_starts_an_empty_block)
{
	for (uint32_t offset = 0; offset < BAREPROF_HEADER_SIZE((uint32_t)ADDRESS_SIZE); offset++) {
		arena_begin_running(64, 256);
		record_something();
		if (!is_fixed_by_the_build(offset))
			continue;
		*arena_bytes(offset) ^= 0x10;
		bareprof_init();
		assert_empty_block();
	}
}

TEST(an_invalid_state_starts_an_empty_block)
{
	arena_begin_running(64, 256);
	arena_set_state(9);
	bareprof_init();
	assert_empty_block();
}

TEST(the_build_id_is_copied)
{
	arena_begin(64, 256);
	bareprof_init();
	assert_int_equal(*arena_bytes(BAREPROF_OFFSET_IDENTITY_KIND), BAREPROF_IDENTITY_BUILD_ID);
	assert_int_equal(*arena_bytes(BAREPROF_OFFSET_IDENTITY_SIZE), 20);
	assert_memory_equal(arena_bytes(BAREPROF_OFFSET_IDENTITY), &arena_note[4], 20);
}

TEST(the_board_has_a_name_of_up_to_15_characters)
{
	arena_begin(64, 256);
	memcpy(arena_layout.config.board, "a-board-with-15", BAREPROF_BOARD_CAPACITY);
	bareprof_init();
	assert_memory_equal(arena_bytes(BAREPROF_OFFSET_BOARD), "a-board-with-15", BAREPROF_BOARD_CAPACITY);
	memset(arena_layout.config.board, 0, BAREPROF_BOARD_CAPACITY);
	bareprof_init();
	assert_int_equal(*arena_bytes(BAREPROF_OFFSET_BOARD), 0);
}

static const uint32_t code[4] = {1, 2, 3, 4};

/* The identity of a header whose first range is code from `start` to `end`; NULL if it has none. */
static const uint32_t *hash_range(uint32_t start, uint32_t end)
{
	arena_begin(64, 256);
	uint8_t *header = arena_bytes(0);
	const uintptr_t range[] = {(uintptr_t)code + start, (uintptr_t)code + end};

	memcpy(header + BAREPROF_OFFSET_RANGES, range, sizeof range);
	bareprof_code_hash(header, sizeof code);
	return header[BAREPROF_OFFSET_IDENTITY_SIZE] != 0 ? (uint32_t *)(void *)(header + BAREPROF_OFFSET_IDENTITY)
	                                                  : NULL;
}

/* Thumb code begins at any half-word, and Armv6-M cannot load words there. */
TEST(code_is_hashed_from_the_word_in_which_the_range_begins)
{
	const uint32_t *identity = hash_range(6, sizeof code);

	assert_non_null(identity);
	assert_int_equal(identity[0], (uint32_t)(uintptr_t)&code[1]);
	assert_int_equal(identity[1], 3 * sizeof *code);
	assert_int_equal(identity[2], (2 * 31 + 3) * 31 + 4);
}

TEST(empty_range_has_no_identity)
{
	assert_null(hash_range(4, 4));
	assert_null(hash_range(5, 5));
	assert_null(hash_range(4, 6));
}
