/* SPDX-License-Identifier: MIT */
/* A block copied out of a target that goes on counting, or is reset meanwhile. */
#include "fake.h"
#include "target/pull/locate.h"
#include "target/pull/snapshot.h"
#include "test.h"

#include <bareprof/block.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BLOCK     (FAKE_BASE + 0x1000)
#define ARCS_USED (BLOCK + BAREPROF_OFFSET_DIRECTORY + 16 + BAREPROF_ENTRY_USED)
#define BINS_USED (BLOCK + BAREPROF_OFFSET_DIRECTORY + 32 + BAREPROF_ENTRY_USED)

/* Where the read of the tables begins: with what is left of the header. */
#define TABLES (BLOCK + BAREPROF_OFFSET_RANGES)

static struct fake fake;
static struct snapshot snapshot;

static int begin(void **state)
{
	fake_init(&fake);
	fake_put_block(&fake, BLOCK);
	return 0;
}

static void fill_tables(void)
{
	memset(fake_at(&fake, BLOCK + FAKE_ARCS_OFFSET), 0xA5, FAKE_ARCS * 12);
	memset(fake_at(&fake, BLOCK + FAKE_BINS_OFFSET), 0x5A, FAKE_BINS * 2);
}

EACH_TEST(begin, NULL);

TEST(stopped_block_is_copied_byte_for_byte)
{
	struct error error;
	fill_tables();
	fake_set_word(&fake, ARCS_USED, 3);
	fake_set_word(&fake, BINS_USED, FAKE_BINS);
	assert_int_equal(snapshot_take(&fake.target, BLOCK, &snapshot, &error), STATUS_OK);
	assert_int_equal(snapshot.header.block_size, FAKE_BLOCK_SIZE);
	assert_memory_equal(snapshot.bytes, fake_at(&fake, BLOCK), FAKE_BLOCK_SIZE);
	assert_int_equal(snapshot.ticks_before, 12345);
	assert_int_equal(snapshot.ticks_after, 12345);
	assert_int_equal(fake.milliseconds, 0);
	assert_int_equal(fake.writes, 0);
	free(snapshot.bytes);
}

TEST(empty_table_is_not_read_and_bins_only_as_far_as_used)
{
	struct error error;
	static const uint8_t zeros[FAKE_ARCS * 12];
	fill_tables();
	fake_set_word(&fake, BINS_USED, 10);
	fake.unreadable = BLOCK + FAKE_ARCS_OFFSET + 20;
	assert_int_equal(snapshot_take(&fake.target, BLOCK, &snapshot, &error), STATUS_OK);
	assert_memory_equal(snapshot.bytes + FAKE_ARCS_OFFSET, zeros, FAKE_ARCS * 12);
	assert_memory_equal(snapshot.bytes + FAKE_BINS_OFFSET, fake_at(&fake, BLOCK + FAKE_BINS_OFFSET), 20);
	assert_memory_equal(snapshot.bytes + FAKE_BINS_OFFSET + 20, zeros, FAKE_BINS * 2 - 20);
	free(snapshot.bytes);
}

/* The target counts a tick, and claims an arc, whenever anything is read. */
static void count(struct fake *target, uint64_t address, size_t size)
{
	(void)address;
	(void)size;
	uint32_t ticks = fake_word(target, BLOCK + BAREPROF_OFFSET_TICKS);
	fake_set_word(target, BLOCK + BAREPROF_OFFSET_TICKS, ticks + 1);
	fake_set_word(target, ARCS_USED, ticks - 12344);
}

TEST(ticks_of_a_running_target_bound_the_skew)
{
	struct error error;
	struct capture_order order = {.address_size = 4};
	fill_tables();
	fake_set_word(&fake, BLOCK + BAREPROF_OFFSET_GATE, BAREPROF_GATE(BLOCK, BAREPROF_STATE_RUNNING));
	fake.before_read = count;
	assert_int_equal(snapshot_take(&fake.target, BLOCK, &snapshot, &error), STATUS_OK);
	assert_int_equal(snapshot.ticks_before, capture_u32(&order, snapshot.bytes + BAREPROF_OFFSET_TICKS));
	assert_int_equal(snapshot.ticks_after, fake_word(&fake, BLOCK + BAREPROF_OFFSET_TICKS));
	assert_true(snapshot.ticks_after > snapshot.ticks_before);
	/* The header is the one from before the tables: it does not claim more than the tables hold. */
	assert_true(capture_u32(&order, snapshot.bytes + (ARCS_USED - BLOCK)) < fake_word(&fake, ARCS_USED));
	free(snapshot.bytes);
}

static unsigned resets_left;

/* The target is reset while its arcs are read. */
static void reset_in_the_middle(struct fake *target, uint64_t address, size_t size)
{
	(void)size;
	if (address != TABLES || resets_left == 0)
		return;
	resets_left--;
	uint32_t resets = fake_word(target, BLOCK + BAREPROF_OFFSET_RESET_COUNT);
	fake_set_word(target, BLOCK + BAREPROF_OFFSET_RESET_COUNT, resets + 1);
}

TEST(block_of_a_target_that_was_reset_is_read_again)
{
	struct error error;
	fake_set_word(&fake, ARCS_USED, 1);
	fake.before_read = reset_in_the_middle;
	resets_left = 2;
	assert_int_equal(snapshot_take(&fake.target, BLOCK, &snapshot, &error), STATUS_OK);
	assert_int_equal(snapshot.header.reset_count, 2);
	free(snapshot.bytes);
}

/* As after power was lost and came back, and the firmware has recorded and stopped again: no count of resets tells. */
static void count_more_in_the_middle(struct fake *target, uint64_t address, size_t size)
{
	(void)size;
	if (address == TABLES && resets_left-- > 0)
		fake_set_word(target, BLOCK + BAREPROF_OFFSET_TICKS, 54321);
}

TEST(stopped_block_that_began_anew_is_read_again)
{
	struct error error;
	fake_set_word(&fake, ARCS_USED, 1);
	fake.before_read = count_more_in_the_middle;
	resets_left = 1;
	assert_int_equal(snapshot_take(&fake.target, BLOCK, &snapshot, &error), STATUS_OK);
	assert_int_equal(snapshot.ticks_before, 54321);
	assert_int_equal(snapshot.ticks_after, 54321);
	free(snapshot.bytes);
}

TEST(target_that_is_reset_all_the_time_is_given_up)
{
	struct error error;
	fake_set_word(&fake, ARCS_USED, 1);
	fake.before_read = reset_in_the_middle;
	resets_left = UINT32_MAX;
	assert_int_equal(snapshot_take(&fake.target, BLOCK, &snapshot, &error), STATUS_FAILED);
	assert_string_equal(
	        error.message,
	        "fake:: the block at 0x20001000 was being reset or cleared, or the connection broke, 3 times "
	        "in a row");
	assert_null(snapshot.bytes);
}

static void break_in_the_middle(struct fake *target, uint64_t address, size_t size)
{
	(void)size;
	if (address == TABLES && resets_left > 0) {
		resets_left--;
		target->reconnections++;
		fake_set_word(target, TABLES, 0x08000101);
	}
}

/* The target may have lost power with its cable, and counted as much again: nothing in the header tells. */
TEST(snapshot_is_of_one_connection)
{
	struct error error;
	fake_set_word(&fake, ARCS_USED, 1);
	fake.before_read = break_in_the_middle;
	resets_left = 1;
	assert_int_equal(snapshot_take(&fake.target, BLOCK, &snapshot, &error), STATUS_OK);
	assert_true(fake.reads >= 6);
	free(snapshot.bytes);
	resets_left = UINT32_MAX;
	assert_int_equal(snapshot_take(&fake.target, BLOCK, &snapshot, &error), STATUS_FAILED);
	assert_non_null(strstr(error.message, "or the connection broke, 3 times"));
}

static void begin_new_epoch_in_the_middle(struct fake *target, uint64_t address, size_t size)
{
	(void)size;
	if (address == TABLES && resets_left-- > 0)
		fake_set_word(target, BLOCK + BAREPROF_OFFSET_EPOCH, 7);
	if (address == TABLES)
		fake.before_read = NULL;
}

TEST(block_that_began_a_new_epoch_is_read_again)
{
	struct error error;
	fake_set_word(&fake, ARCS_USED, 1);
	fake.before_read = begin_new_epoch_in_the_middle;
	resets_left = 1;
	assert_int_equal(snapshot_take(&fake.target, BLOCK, &snapshot, &error), STATUS_OK);
	assert_int_equal(snapshot.header.epoch, 7);
	free(snapshot.bytes);
}

/* From power-up: garbage until the firmware has come to its init again. */
static void vanish_in_the_middle(struct fake *target, uint64_t address, size_t size)
{
	(void)size;
	if (address == TABLES && target->milliseconds == 0)
		memset(fake_at(target, BLOCK), 0xEE, FAKE_BLOCK_SIZE);
}

static void come_back(struct fake *target)
{
	if (target->milliseconds == 50)
		fake_put_block(target, BLOCK);
}

TEST(block_that_vanished_is_waited_for)
{
	struct error error;
	fake_set_word(&fake, ARCS_USED, 1);
	fake.before_read = vanish_in_the_middle;
	fake.each_millisecond = come_back;
	assert_int_equal(snapshot_take(&fake.target, BLOCK, &snapshot, &error), STATUS_OK);
	assert_true(fake.milliseconds >= 50);
	free(snapshot.bytes);
}

/* Asleep its RAM reads as zeros; it wakes for a while each time that it is let run. */
static uint8_t header_awake[BAREPROF_OFFSET_RANGES];

static void sleep_in_the_middle(struct fake *target, uint64_t address, size_t size)
{
	(void)size;
	if (address == TABLES)
		memset(fake_at(target, BLOCK), 0, sizeof header_awake);
}

static void wake(struct fake *target)
{
	memcpy(fake_at(target, BLOCK), header_awake, sizeof header_awake);
}

TEST(sleeping_target_is_told_with_what_to_do)
{
	struct error error;
	fake_set_word(&fake, ARCS_USED, 1);
	memcpy(header_awake, fake_at(&fake, BLOCK), sizeof header_awake);
	fake.before_read = sleep_in_the_middle;
	fake.each_millisecond = wake;
	assert_int_equal(snapshot_take(&fake.target, BLOCK, &snapshot, &error), STATUS_FAILED);
	assert_string_equal(error.message,
	                    "fake:: the block at 0x20001000 now reads as zeros: was the target reset and is not yet "
	                    "in bareprof_init(), or does it sleep (WFI)? A debugger then needs its debug part kept "
	                    "on, by DBGMCU_CR of an STM32 for one");
	assert_null(snapshot.bytes);
	wake(&fake);
	fake.ops.capabilities = TARGET_CAN_KEEP_AWAKE;
	assert_int_equal(snapshot_take(&fake.target, BLOCK, &snapshot, &error), STATUS_FAILED);
	assert_non_null(
	        strstr(error.message, "(WFI)? A debugger then needs the chip kept awake, which works for STM32"));
}

static void end_clearing(struct fake *target)
{
	if (target->milliseconds == 300)
		fake_set_word(target, BLOCK + BAREPROF_OFFSET_GATE, BAREPROF_GATE(BLOCK, BAREPROF_STATE_RUNNING));
}

TEST(block_that_is_being_cleared_is_waited_for)
{
	struct error error;
	fake_set_word(&fake, BLOCK + BAREPROF_OFFSET_GATE, BAREPROF_GATE(BLOCK, BAREPROF_STATE_CLEARING_TO_RUN));
	fake.each_millisecond = end_clearing;
	assert_int_equal(snapshot_take(&fake.target, BLOCK, &snapshot, &error), STATUS_OK);
	assert_int_equal(snapshot.header.state, BAREPROF_STATE_RUNNING);
	free(snapshot.bytes);
}

TEST(lying_header_is_one_clear_line)
{
	static const struct {
		uint64_t address;
		uint32_t value;
	} lies[] = {
	        {BLOCK + BAREPROF_OFFSET_BLOCK_SIZE, 0xFFFFFFF0},
	        {BLOCK + BAREPROF_OFFSET_BLOCK_SIZE, 0x10},
	        {BLOCK + BAREPROF_OFFSET_BYTE_ORDER, 0x01000303},
	        {ARCS_USED, FAKE_ARCS + 1},
	        {ARCS_USED - BAREPROF_ENTRY_USED + BAREPROF_ENTRY_CAPACITY, 0x7FFFFFFF},
	        {ARCS_USED - BAREPROF_ENTRY_USED + BAREPROF_ENTRY_OFFSET, 0xFFFFFFF0},
	        {ARCS_USED - BAREPROF_ENTRY_USED + BAREPROF_ENTRY_OFFSET, 0},
	};
	for (size_t i = 0; i < sizeof lies / sizeof lies[0]; i++) {
		struct error error = {.message = ""};
		begin(NULL);
		fake_set_word(&fake, lies[i].address, lies[i].value);
		assert_int_equal(snapshot_take(&fake.target, BLOCK, &snapshot, &error), STATUS_FAILED);
		assert_non_null(strstr(error.message, "fake:: block at 0x20001000"));
		assert_null(snapshot.bytes);
	}
}

#define ENTRY(index) (BLOCK + BAREPROF_OFFSET_DIRECTORY + (index)*BAREPROF_ENTRY_SIZE)

static void assert_refused_unread(const char *part)
{
	struct error error = {.message = ""};
	assert_int_equal(snapshot_take(&fake.target, BLOCK, &snapshot, &error), STATUS_FAILED);
	if (strstr(error.message, part) == NULL)
		fail_msg("'%s' does not say '%s'", error.message, part);
	/* The header as far as its directory goes, and nothing else. */
	assert_true(fake.bytes_read <= fake_word(&fake, BLOCK + BAREPROF_OFFSET_ADDRESS_SIZE) >> 16);
}

TEST(sections_that_overlap_are_refused)
{
	fake_set_word(&fake, ARCS_USED, 1);
	fake_set_word(&fake, ENTRY(2) + BAREPROF_ENTRY_OFFSET, FAKE_ARCS_OFFSET);
	fake_set_word(&fake, ENTRY(2) + BAREPROF_ENTRY_CAPACITY, 160);
	fake_set_word(&fake, BINS_USED, 160);
	assert_refused_unread("overlap in a block of 576");
}

TEST(more_sections_than_a_capture_may_have_are_refused)
{
	fake_set_word(&fake, BLOCK + BAREPROF_OFFSET_DIRECTORY_COUNT - 1,
	              4 | 17 << 8 | (BAREPROF_OFFSET_DIRECTORY + 17 * BAREPROF_ENTRY_SIZE) << 16);
	assert_refused_unread("17 directory entries, expected at most 16");
}

/* A deterministic walk over single-bit errors of the whole header. */
TEST(no_flipped_bit_in_the_header_does_harm)
{
	for (unsigned bit = 0; bit < BAREPROF_HEADER_SIZE(4) * 8; bit++) {
		struct error error;
		begin(NULL);
		fake_set_word(&fake, ARCS_USED, 3);
		fake_set_word(&fake, BINS_USED, 20);
		*fake_at(&fake, BLOCK + bit / 8) ^= (uint8_t)(1u << bit % 8);
		if (snapshot_take(&fake.target, BLOCK, &snapshot, &error) == STATUS_OK)
			assert_int_equal(snapshot.header.block_address, BLOCK);
		free(snapshot.bytes);
		snapshot.bytes = NULL;
	}
}
