/* SPDX-License-Identifier: MIT */
/* Copies of blocks from targets that count, or are reset, meanwhile. */
#include "acquire/pull/locate.h"
#include "acquire/pull/snapshot.h"
#include "fake.h"

#include "../sources.h"
#include "test.h"

#include <bareprof/block.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#define BLOCK     (FAKE_BASE + 0x1000)
#define ARCS_USED (BLOCK + BAREPROF_OFFSET_DIRECTORY + 16 + BAREPROF_ENTRY_USED)
#define BINS_USED (BLOCK + BAREPROF_OFFSET_DIRECTORY + 32 + BAREPROF_ENTRY_USED)

/* Where the read of the tables begins: with the rest of the header. */
#define TABLES (BLOCK + BAREPROF_OFFSET_RANGES)

static struct fake fake;
static struct snapshot snapshot;

static int begin(void **state)
{
	fake_init(&fake);
	fake_put_block(&fake, BLOCK);
	fake_set_word(&fake, ARCS_USED, 1);
	return 0;
}

static int end(void **state)
{
	free(snapshot.bytes);
	snapshot.bytes = NULL;
	return 0;
}

static void take(void)
{
	end(NULL);
	assert_success(snapshot_take(&fake.target, BLOCK, &snapshot, &failure), &failure);
}

static void assert_refused(const char *part)
{
	end(NULL);
	assert_failure(snapshot_take(&fake.target, BLOCK, &snapshot, &failure), &failure, part);
	assert_null(snapshot.bytes);
}

/* Events while the tables are read. */
static void (*event)(struct fake *fake);
static unsigned events_left;

static void on_read(struct fake *target, uint64_t address, size_t size)
{
	(void)size;
	if (address != TABLES || events_left == 0)
		return;
	events_left--;
	event(target);
}

static void set_event(void (*happens)(struct fake *fake), unsigned times)
{
	event = happens;
	events_left = times;
	fake.before_read = on_read;
}

static void fill_tables(void)
{
	memset(fake_at(&fake, BLOCK + FAKE_ARCS_OFFSET), 0xA5, FAKE_ARCS * 12);
	memset(fake_at(&fake, BLOCK + FAKE_BINS_OFFSET), 0x5A, FAKE_BINS * 2);
}

EACH_TEST(begin, end);

TEST(stopped_block_is_copied_byte_for_byte)
{
	fill_tables();
	fake_set_word(&fake, ARCS_USED, 3);
	fake_set_word(&fake, BINS_USED, FAKE_BINS);
	take();
	assert_int_equal(snapshot.header.block_size, FAKE_BLOCK_SIZE);
	assert_memory_equal(snapshot.bytes, fake_at(&fake, BLOCK), FAKE_BLOCK_SIZE);
	assert_int_equal(snapshot.ticks_before, 12345);
	assert_int_equal(snapshot.ticks_after, 12345);
	assert_int_equal(fake.milliseconds, 0);
	assert_int_equal(fake.writes, 0);
}

TEST(empty_table_is_not_read_and_bins_only_as_far_as_used)
{
	static const uint8_t zeros[FAKE_ARCS * 12];

	fill_tables();
	fake_set_word(&fake, ARCS_USED, 0);
	fake_set_word(&fake, BINS_USED, 10);
	fake.unreadable = BLOCK + FAKE_ARCS_OFFSET + 20;
	take();
	assert_memory_equal(snapshot.bytes + FAKE_ARCS_OFFSET, zeros, FAKE_ARCS * 12);
	assert_memory_equal(snapshot.bytes + FAKE_BINS_OFFSET, fake_at(&fake, BLOCK + FAKE_BINS_OFFSET), 20);
	assert_memory_equal(snapshot.bytes + FAKE_BINS_OFFSET + 20, zeros, FAKE_BINS * 2 - 20);
}

/* The target counts a tick and uses another arc before each read. */
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
	struct capture_order order = {.address_size = 4};

	fill_tables();
	fake_set_word(&fake, BLOCK + BAREPROF_OFFSET_GATE, BAREPROF_GATE(BLOCK, BAREPROF_STATE_RUNNING));
	fake.before_read = count;
	take();
	assert_int_equal(snapshot.ticks_before, capture_u32(&order, snapshot.bytes + BAREPROF_OFFSET_TICKS));
	assert_int_equal(snapshot.ticks_after, fake_word(&fake, BLOCK + BAREPROF_OFFSET_TICKS));
	assert_true(snapshot.ticks_after > snapshot.ticks_before);
	/* The header is the one from before the tables: it does not claim more than the tables hold. */
	assert_true(capture_u32(&order, snapshot.bytes + (ARCS_USED - BLOCK)) < fake_word(&fake, ARCS_USED));
}

static void reset(struct fake *target)
{
	uint32_t resets = fake_word(target, BLOCK + BAREPROF_OFFSET_RESET_COUNT);

	fake_set_word(target, BLOCK + BAREPROF_OFFSET_RESET_COUNT, resets + 1);
}

TEST(block_of_a_target_that_was_reset_is_read_again)
{
	set_event(reset, 2);
	take();
	assert_int_equal(snapshot.header.reset_count, 2);
}

/* The effect of a loss of power, after which the firmware recorded and stopped again: no reset count shows it. */
static void count_more(struct fake *target)
{
	fake_set_word(target, BLOCK + BAREPROF_OFFSET_TICKS, 54321);
}

TEST(stopped_block_with_other_ticks_is_read_again)
{
	set_event(count_more, 1);
	take();
	assert_int_equal(snapshot.ticks_before, 54321);
	assert_int_equal(snapshot.ticks_after, 54321);
}

TEST(target_that_keeps_resetting_is_given_up)
{
	set_event(reset, UINT_MAX);
	assert_refused("fake:: the block at 0x20001000 was being reset or cleared, or the connection broke, 3 times in "
	               "a row");
}

static void reconnect(struct fake *target)
{
	target->reconnections++;
	fake_set_word(target, TABLES, 0x08000101);
}

/* The target may have lost power with its cable, and counted as much again: nothing in the header shows it. */
TEST(snapshot_needs_one_connection_throughout)
{
	set_event(reconnect, 1);
	take();
	assert_true(fake.reads >= 6);
	set_event(reconnect, UINT_MAX);
	assert_refused("or the connection broke, 3 times");
}

static void begin_epoch(struct fake *target)
{
	fake_set_word(target, BLOCK + BAREPROF_OFFSET_EPOCH, 7);
}

#define SLOT (BLOCK + FAKE_ARCS_OFFSET)

/* The recorder fills in a slot while the tables are read: its caller too late, the other words in time. */
static void fill_slot(struct fake *target, uint64_t address, size_t size)
{
	(void)size;
	fake_set_word(target, SLOT, address == TABLES ? 0 : 0x8005);
	fake_set_word(target, SLOT + 4, 0x8021);
	fake_set_word(target, SLOT + 8, 1);
}

TEST(caller_that_was_not_yet_written_is_read_again)
{
	fake.before_read = fill_slot;
	fake_set_word(&fake, BLOCK + BAREPROF_OFFSET_GATE, BAREPROF_GATE(BLOCK, BAREPROF_STATE_RUNNING));
	take();
	assert_int_equal(fake_word(&fake, SLOT), 0x8005);
	assert_memory_equal(snapshot.bytes, fake_at(&fake, BLOCK), FAKE_BLOCK_SIZE);
}

TEST(stopped_block_has_no_caller_that_is_not_yet_written)
{
	fake.before_read = fill_slot;
	take();
	assert_memory_equal(snapshot.bytes + FAKE_ARCS_OFFSET, (uint8_t[4]){0}, 4);
}

#define SLICE_SIZE (BAREPROF_SLICE_SIZE(4, 12))
#define SLICES     (BLOCK + FAKE_BINS_OFFSET)

/* Two slices in place of the bins. The recorder writes the second one while the tables are read. */
static void put_slices(void)
{
	const uint64_t entry = BLOCK + BAREPROF_OFFSET_DIRECTORY + 32;

	fake_set_word(&fake, entry, BAREPROF_SECTION_SLICES | (uint32_t)SLICE_SIZE << 16);
	fake_set_word(&fake, entry + BAREPROF_ENTRY_CAPACITY, 2);
	fake_set_word(&fake, entry + BAREPROF_ENTRY_USED, 2);
	memset(fake_at(&fake, SLICES), 0x11, SLICE_SIZE);
}

static void write_slice(struct fake *target, uint64_t address, size_t size)
{
	(void)size;
	memset(fake_at(target, SLICES + SLICE_SIZE), 0x22, SLICE_SIZE);
	if (address == TABLES)
		memset(fake_at(target, SLICES + SLICE_SIZE), 0, SLICE_SIZE / 2);
}

TEST(slice_that_was_being_written_is_read_again)
{
	put_slices();
	fake.before_read = write_slice;
	fake_set_word(&fake, BLOCK + BAREPROF_OFFSET_GATE, BAREPROF_GATE(BLOCK, BAREPROF_STATE_RUNNING));
	take();
	assert_int_equal(fake_word(&fake, SLICES + SLICE_SIZE), 0x22222222);
	assert_memory_equal(snapshot.bytes, fake_at(&fake, BLOCK), FAKE_BLOCK_SIZE);
	assert_int_equal(fake.reads, 4); /* header, tables, slice, header */
}

TEST(stopped_block_has_no_slice_that_is_being_written)
{
	put_slices();
	fake.before_read = write_slice;
	take();
	assert_memory_equal(snapshot.bytes + FAKE_BINS_OFFSET + SLICE_SIZE, (uint8_t[4]){0}, 4);
}

TEST(block_in_a_new_epoch_is_read_again)
{
	set_event(begin_epoch, 1);
	take();
	assert_int_equal(snapshot.header.epoch, 7);
}

/* From power-up until the firmware initializes the block, RAM is garbage. */
static void power_up(struct fake *target)
{
	memset(fake_at(target, BLOCK), 0xEE, FAKE_BLOCK_SIZE);
}

static void come_back(struct fake *target)
{
	if (target->milliseconds == 50)
		fake_put_block(target, BLOCK);
}

TEST(lost_block_is_awaited)
{
	set_event(power_up, 1);
	fake.each_millisecond = come_back;
	take();
	assert_true(fake.milliseconds >= 50);
}

/* RAM of a sleeping target reads as zeros; the target wakes for a while each time that it runs. */
static uint8_t header_awake[BAREPROF_OFFSET_RANGES];

static void fall_asleep(struct fake *target)
{
	memset(fake_at(target, BLOCK), 0, sizeof header_awake);
}

static void wake(struct fake *target)
{
	memcpy(fake_at(target, BLOCK), header_awake, sizeof header_awake);
}

static enum status report_running(struct target *target, bool *is_halted, struct error *unused)
{
	*is_halted = false;
	return STATUS_OK;
}

TEST(sleeping_target_is_reported_with_advice)
{
	static const struct core_ops core = {.for_sleep = "an advice of the core", .is_halted = report_running};

	memcpy(header_awake, fake_at(&fake, BLOCK), sizeof header_awake);
	set_event(fall_asleep, UINT_MAX);
	fake.each_millisecond = wake;
	assert_refused("fake:: the block at 0x20001000 now reads as zeros: was the target reset and is not yet in "
	               "bareprof_init(), or does it sleep (WFI)? A debugger then needs its debug part kept on, by "
	               "DBGMCU_CR of an STM32 for one");
	wake(&fake);
	fake.target.core = &core;
	assert_refused("(WFI)? A debugger then needs an advice of the core");
}

static void end_clearing(struct fake *target)
{
	if (target->milliseconds == 300)
		fake_set_word(target, BLOCK + BAREPROF_OFFSET_GATE, BAREPROF_GATE(BLOCK, BAREPROF_STATE_RUNNING));
}

TEST(block_being_cleared_is_awaited)
{
	fake_set_word(&fake, BLOCK + BAREPROF_OFFSET_GATE, BAREPROF_GATE(BLOCK, BAREPROF_STATE_CLEARING_TO_RUN));
	fake.each_millisecond = end_clearing;
	take();
	assert_int_equal(snapshot.header.state, BAREPROF_STATE_RUNNING);
}

TEST(malformed_header_is_refused)
{
	static const struct {
		uint64_t address;
		uint32_t value;
	} cases[] = {
	        {BLOCK + BAREPROF_OFFSET_BLOCK_SIZE, 0xFFFFFFF0},
	        {BLOCK + BAREPROF_OFFSET_BLOCK_SIZE, 0x10},
	        {BLOCK + BAREPROF_OFFSET_BYTE_ORDER, 0x01000303},
	        {ARCS_USED, FAKE_ARCS + 1},
	        {ARCS_USED - BAREPROF_ENTRY_USED + BAREPROF_ENTRY_CAPACITY, 0x7FFFFFFF},
	        {ARCS_USED - BAREPROF_ENTRY_USED + BAREPROF_ENTRY_OFFSET, 0xFFFFFFF0},
	        {ARCS_USED - BAREPROF_ENTRY_USED + BAREPROF_ENTRY_OFFSET, 0},
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		begin(NULL);
		fake_set_word(&fake, cases[i].address, cases[i].value);
		assert_refused("fake:: block at 0x20001000");
	}
}

#define ENTRY(index) (BLOCK + BAREPROF_OFFSET_DIRECTORY + (index)*BAREPROF_ENTRY_SIZE)

static void assert_refused_unread(const char *part)
{
	assert_refused(part);
	/* Only the header was read, at most up to the end of its directory. */
	assert_true(fake.bytes_read <= fake_word(&fake, BLOCK + BAREPROF_OFFSET_ADDRESS_SIZE) >> 16);
}

TEST(overlapping_sections_are_refused)
{
	fake_set_word(&fake, ENTRY(2) + BAREPROF_ENTRY_OFFSET, FAKE_ARCS_OFFSET);
	fake_set_word(&fake, ENTRY(2) + BAREPROF_ENTRY_CAPACITY, 160);
	fake_set_word(&fake, BINS_USED, 160);
	assert_refused_unread("overlap in a block of 576");
}

TEST(too_many_sections_are_refused)
{
	fake_set_word(&fake, BLOCK + BAREPROF_OFFSET_DIRECTORY_COUNT - 1,
	              4 | 17 << 8 | (BAREPROF_OFFSET_DIRECTORY + 17 * BAREPROF_ENTRY_SIZE) << 16);
	assert_refused_unread("17 directory entries, expected at most 16");
}

/* All single-bit errors of the header. */
TEST(flipped_bit_in_the_header_is_harmless)
{
	for (unsigned bit = 0; bit < BAREPROF_HEADER_SIZE(4) * 8; bit++) {
		begin(NULL);
		fake_set_word(&fake, ARCS_USED, 3);
		fake_set_word(&fake, BINS_USED, 20);
		*fake_at(&fake, BLOCK + bit / 8) ^= (uint8_t)(1u << bit % 8);
		if (snapshot_take(&fake.target, BLOCK, &snapshot, &failure) == STATUS_OK)
			assert_int_equal(snapshot.header.block_address, BLOCK);
		end(NULL);
	}
}
