/* SPDX-License-Identifier: MIT */
/* The engine of accesses, with a probe in memory whose transfers fail as the test chooses, on a clock of its own. */
#include "acquire/dap/access.h"
#include "acquire/dap/registers.h"
#include "test.h"

#include <stdio.h>
#include <string.h>

#define BASE      0x20000000u
#define SIZE      256u
#define UNITS_MAX 16u
#define LOG       512

static struct {
	struct access access;
	uint32_t words[UNITS_MAX];
	uint8_t memory[SIZE];
	uint64_t now;

	/* Faults: transfers end with ack. */
	enum dap_ack ack;
	unsigned fails_at, fails; /* the first that fails, counted from 1, and how many do */
	unsigned fails_every;     /* 0: none */
	uint32_t bad_word;        /* all with the word at this address; 0: none */
	uint32_t flags;           /* that recovery finds */
	uint64_t step;            /* milliseconds of a transfer */
	size_t count_max;         /* of a block, which the probe lowers; 0: it does not */
	bool breaks;              /* the probe itself fails */
	bool cannot_recover;

	/* Results. */
	struct access_block log[LOG];
	unsigned transfers, recoveries, tries, begun, ended;
	uint64_t done, total;
} fake;

static const unsigned packets_lost = 3;

static uint64_t fake_now(void)
{
	return fake.now;
}

static bool fake_pause(uint64_t deadline, int cancel)
{
	(void)cancel;
	fake.now = deadline;
	return true;
}

static const struct clock fake_clock = {.now = fake_now, .pause = fake_pause};

static bool is_due(const struct access_block *block)
{
	if (fake.bad_word != 0 && block->address <= fake.bad_word &&
	    fake.bad_word < block->address + block->count * block->unit)
		return true;
	if (fake.fails_every != 0 && fake.transfers % fake.fails_every == 1)
		return true;
	return fake.fails_at != 0 && fake.transfers >= fake.fails_at && fake.transfers < fake.fails_at + fake.fails;
}

static void move_unit(const struct access_block *block, size_t i)
{
	const size_t offset = block->address - BASE + (block->is_register ? 0 : i * block->unit);

	assert_in_range(offset, 0, SIZE - block->unit);
	for (unsigned byte = 0; byte < block->unit; byte++) {
		const unsigned lane = 8 * ((offset + byte) % 4);

		if (block->is_write)
			fake.memory[offset + byte] = (uint8_t)(block->words[i] >> lane);
		else
			block->words[i] = (byte > 0 ? block->words[i] : 0) | (uint32_t)fake.memory[offset + byte]
			                                                             << lane;
	}
}

static enum status fake_transfer(void *probe, struct access_block *block, struct access_result *result,
                                 struct error *why)
{
	assert_ptr_equal(probe, &fake);
	assert_true(block->count >= 1 && block->count <= block->left);
	if (fake.count_max != 0 && block->count > fake.count_max)
		block->count = fake.count_max;
	fake.transfers++;
	fake.log[(fake.transfers - 1) % LOG] = *block;
	fake.now += fake.step;
	if (fake.breaks)
		return status_fail(why, "unplugged");
	result->ack = is_due(block) ? fake.ack : DAP_OK;
	/* A failed transfer may have read or written anything. */
	for (size_t i = 0; i < block->count; i++)
		if (result->ack == DAP_OK)
			move_unit(block, i);
		else if (!block->is_write)
			block->words[i] = 0xDEADDEAD;
	return STATUS_OK;
}

static enum status fake_recover(void *probe, struct access_result *result, unsigned tries, struct error *why)
{
	(void)probe;
	fake.recoveries++;
	fake.tries = tries;
	result->flags = fake.flags;
	return fake.cannot_recover ? status_fail(why, "cannot recover") : STATUS_OK;
}

static enum status fake_fail(void *probe, const struct access_block *block, const struct access_result *result,
                             struct error *why)
{
	(void)probe;
	return status_fail(why, "%s 0x%x: %d", block->is_write ? "write" : "read", (unsigned)block->address,
	                   result->ack);
}

static enum status fake_begin(void *probe, struct error *why)
{
	(void)probe;
	(void)why;
	fake.begun++;
	return STATUS_OK;
}

static enum status fake_end(void *probe, struct error *why)
{
	(void)probe;
	(void)why;
	fake.ended++;
	return STATUS_OK;
}

static void progress(void *context, uint64_t done, uint64_t total)
{
	assert_null(context);
	assert_true(done > fake.done);
	fake.done = done;
	fake.total = total;
}

static const struct probe_ops ops = {
        .transfer = fake_transfer, .recover = fake_recover, .fail = fake_fail, .begin = fake_begin, .end = fake_end};
static const struct target_observer observer = {.progress = progress};
static const struct target_setup setup = {.timeout = 1000, .clock = &fake_clock, .observer = &observer};

static int begin(void **state)
{
	(void)state;
	memset(&fake, 0, sizeof fake);
	fake.access = (struct access){.ops = &ops,
	                              .probe = &fake,
	                              .setup = &setup,
	                              .source = "fake",
	                              .packets_lost = &packets_lost,
	                              .name = "port 0",
	                              .last = UINT32_MAX,
	                              .has_bytes = true,
	                              .words = fake.words,
	                              .units_max = UNITS_MAX,
	                              .units_now = UNITS_MAX,
	                              .traffic.speed = 4000000};
	fake.now = 1;
	fake.flags = CTRL_STICKYERR;
	for (unsigned i = 0; i < SIZE; i++)
		fake.memory[i] = (uint8_t)(i * 7 + i / 16);
	return 0;
}

EACH_TEST(begin, NULL);

/* This many transfers end with ack, from the one with this number on. */
static void set_faults(enum dap_ack ack, unsigned fails_at, unsigned fails)
{
	fake.ack = ack;
	fake.fails_at = fails_at;
	fake.fails = fails;
}

static void expect_read(size_t offset, size_t size)
{
	uint8_t bytes[SIZE + 1];

	memset(bytes, 0x55, sizeof bytes);
	fake.done = 0;
	assert_success(access_read(&fake.access, BASE + offset, bytes, size, &failure), &failure);
	assert_memory_equal(bytes, fake.memory + offset, size);
	assert_int_equal(bytes[size], 0x55);
	assert_int_equal(fake.done, size);
}

static void expect_write(size_t offset, size_t size)
{
	uint8_t bytes[SIZE], expected[SIZE];

	memcpy(expected, fake.memory, SIZE);
	for (size_t i = 0; i < size; i++)
		bytes[i] = expected[offset + i] = (uint8_t)(expected[offset + i] * 5 + 3);
	assert_success(access_write(&fake.access, BASE + offset, bytes, size, &failure), &failure);
	assert_memory_equal(fake.memory, expected, SIZE);
}

static void expect_failed_read(size_t offset, size_t size, const char *message)
{
	uint8_t bytes[SIZE];

	fake.done = 0;
	assert_int_equal(access_read(&fake.access, BASE + offset, bytes, size, &failure), STATUS_FAILED);
	assert_string_equal(failure.message, message);
}

/* Checks the counts of the transfers so far, ended by 0. */
static void expect_counts(const size_t *counts)
{
	unsigned i = 0;

	for (; counts[i] != 0; i++) {
		assert_true(i < fake.transfers);
		assert_int_equal(fake.log[i].count, counts[i]);
	}
	assert_int_equal(fake.transfers, i);
}

/* --- Splits. */

TEST(any_alignment_and_size_is_read_and_written)
{
	for (unsigned round = 0; round < 2 * UNITS_MAX; round++) {
		begin(NULL);
		fake.access.units_max = round / 2 + 1;
		fake.access.has_bytes = round % 2 != 0;
		for (size_t offset = 4; offset < 8; offset++)
			for (size_t size = 0; size < 80; size++) {
				expect_read(offset, size);
				expect_write(offset, size);
			}
		expect_read(0, SIZE);
		expect_write(SIZE - 1, 1);
	}
}

TEST(read_takes_whole_words_in_the_longest_blocks)
{
	expect_read(2, 4 * 40);
	expect_counts((const size_t[]){16, 16, 9, 0});
	assert_int_equal(fake.log[0].address, BASE);
	assert_int_equal(fake.log[1].address, BASE + 64);
	assert_int_equal(fake.log[2].left, 9);
	assert_int_equal(fake.total, 160);
}

TEST(write_is_split_into_head_words_and_tail)
{
	expect_write(1, 3 + 4 * 20 + 2);
	expect_counts((const size_t[]){3, 16, 4, 2, 0});
	assert_int_equal(fake.log[0].unit, 1);
	assert_int_equal(fake.log[1].unit, 4);
	assert_int_equal(fake.log[3].address, BASE + 84);
}

TEST(partial_word_is_written_back_without_byte_accesses)
{
	fake.access.has_bytes = false;
	expect_write(5, 2);
	expect_counts((const size_t[]){1, 1, 0});
	assert_false(fake.log[0].is_write);
	assert_true(fake.log[1].is_write);
	assert_int_equal(fake.log[1].address, BASE + 4);
}

TEST(probe_may_shorten_a_block)
{
	fake.count_max = 5;
	expect_read(0, 4 * 12);
	expect_counts((const size_t[]){5, 5, 2, 0});
	expect_write(3, 70);
}

TEST(register_is_accessed_repeatedly)
{
	uint32_t words[40], expected;

	memcpy(&expected, fake.memory + 8, 4);
	assert_int_equal(access_read_register(&fake.access, BASE + 8, words, 40, &failure), STATUS_OK);
	for (unsigned i = 0; i < 40; i++)
		assert_int_equal(words[i], expected);
	expect_counts((const size_t[]){16, 16, 8, 0});
	assert_int_equal(access_write_register(&fake.access, BASE + 8, 0x01020304, &failure), STATUS_OK);
	assert_memory_equal(fake.memory + 8, ((const uint8_t[]){4, 3, 2, 1}), 4);
	assert_int_equal(access_traffic(&fake.access).bytes, 41 * 4);
	assert_int_equal(access_traffic(&fake.access).packets_lost, 3);
	assert_int_equal(access_read_register(&fake.access, BASE + 2, words, 1, &failure), STATUS_FAILED);
	assert_string_equal(failure.message, "fake: 0x20000002 is not the address of a word");
}

TEST(memory_out_of_reach_is_refused_without_a_transfer)
{
	uint8_t byte[8];

	assert_int_equal(access_read(&fake.access, UINT32_MAX - 3, byte, 5, &failure), STATUS_FAILED);
	assert_string_equal(failure.message, "fake: port 0 reaches no memory at 0xfffffffc of 5 bytes");
	assert_int_equal(access_write(&fake.access, UINT64_MAX, byte, 2, &failure), STATUS_FAILED);
	assert_int_equal(access_read(&fake.access, UINT64_MAX, byte, 0, &failure), STATUS_OK);
	assert_int_equal(fake.transfers, 0);
	assert_int_equal(fake.begun, 3);
	assert_int_equal(fake.ended, 3);
}

/* --- Faults. */

static const enum dap_ack faults[] = {DAP_WAIT, DAP_FAULT, DAP_NO_ACK, DAP_PROTOCOL_ERROR, DAP_LOST};

TEST(fault_at_any_place_is_survived)
{
	for (size_t fault = 0; fault < sizeof faults / sizeof *faults; fault++)
		for (unsigned at = 1; at <= 12; at++) {
			begin(NULL);
			set_faults(faults[fault], (at + 1) / 2, 1);
			fake.access.has_bytes = at % 4 == 1;
			if (at % 2 == 0)
				expect_read(3, 200);
			else
				expect_write(3, 200);
			assert_int_equal(fake.access.traffic.lists, fake.transfers);
			assert_int_equal(fake.access.traffic.repeats, fake.recoveries);
			assert_int_equal(fake.access.traffic.damaged,
			                 fake.ack == DAP_NO_ACK || fake.ack == DAP_PROTOCOL_ERROR ? fake.recoveries
			                                                                          : 0);
		}
	fake.flags = CTRL_WDATAERR;
	set_faults(DAP_FAULT, fake.transfers + 1, 1);
	expect_write(0, 8);
	assert_int_equal(fake.access.traffic.damaged, 1);
}

TEST(failed_block_is_halved_and_grows_again)
{
	set_faults(DAP_PROTOCOL_ERROR, 1, 2);
	expect_read(0, 4 * 60);
	expect_counts((const size_t[]){16, 8, 4, 8, 16, 16, 16, 0});
	assert_int_equal(fake.tries, 1);
	/* A short block does not make the next one shorter. */
	expect_read(0, 4);
	fake.transfers = fake.fails_at = 0;
	expect_read(0, 64);
	expect_counts((const size_t[]){16, 0});
}

TEST(persistent_fault_is_narrowed_down_to_its_word)
{
	fake.ack = DAP_FAULT;
	fake.bad_word = BASE + 4 * 21;
	expect_failed_read(0, SIZE, "read 0x20000054: 4");
	expect_counts((const size_t[]){16, 16, 8, 4, 8, 4, 2, 1, 2, 1, 1, 1, 1, 1, 1, 1, 1, 0});
	assert_int_equal(access_traffic(&fake.access).bytes, 0);
	fake.bad_word = 0;
	expect_read(0, SIZE);
}

TEST(busy_target_is_retried_until_time_is_up)
{
	fake.step = 10;
	set_faults(DAP_WAIT, 1, 50);
	expect_read(0, 8);
	fake.transfers = 0;
	set_faults(DAP_WAIT, 1, 1000);
	expect_failed_read(0, 8, "read 0x20000000: 2");
	/* The time counts from the first failure on. */
	assert_int_equal(fake.transfers, 1 + 1000 / 10);
	assert_int_equal(fake.tries, 1000 / 10);
}

/* Each word takes a failed transfer: 167 words per second are enough, 125 are too few. */
TEST(slow_progress_counts_as_none)
{
	static uint32_t words[1000];

	fake.ack = DAP_PROTOCOL_ERROR;
	fake.fails_every = 2;
	fake.step = 3;
	fake.access.units_max = 1;
	assert_int_equal(access_read_register(&fake.access, BASE, words, 1000, &failure), STATUS_OK);
	fake.step = 4;
	assert_int_equal(access_read_register(&fake.access, BASE, words, 1000, &failure), STATUS_FAILED);
	/* Fewer are enough at a clock that is too slow for as many: 125 words per second of at most 212. */
	fake.access.traffic.speed = 10000;
	assert_int_equal(access_read_register(&fake.access, BASE, words, 1000, &failure), STATUS_OK);
}

TEST(absent_word_is_tried_once)
{
	uint32_t word;

	fake.ack = DAP_FAULT;
	fake.bad_word = BASE + 4;
	assert_int_equal(access_probe(&fake.access, BASE + 4, &word, &failure), STATUS_FAILED);
	assert_int_equal(fake.transfers, 1);
	assert_int_equal(fake.recoveries, 1);
	assert_int_equal(fake.access.traffic.repeats, 0);
	/* Errors of the wire are repeated all the same. */
	fake.bad_word = 0;
	set_faults(DAP_PROTOCOL_ERROR, 2, 3);
	assert_int_equal(access_probe(&fake.access, BASE + 4, &word, &failure), STATUS_OK);
	assert_memory_equal(&word, fake.memory + 4, 4);
	assert_int_equal(fake.access.traffic.repeats, 3);
}

TEST(failure_of_the_probe_ends_an_access_at_once)
{
	fake.breaks = true;
	expect_failed_read(0, 8, "unplugged");
	assert_int_equal(fake.transfers, 1);
	begin(NULL);
	fake.cannot_recover = true;
	set_faults(DAP_WAIT, 1, 1);
	expect_failed_read(0, 8, "cannot recover");
	assert_int_equal(fake.transfers, 1);
	assert_int_equal(fake.ended, 1);
}
