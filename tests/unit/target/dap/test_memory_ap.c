/* SPDX-License-Identifier: MIT */
/* Memory through an access port: whatever faults, the bytes are right or there is an error that says why. */
#include "fake.h"
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static struct fake fake;
static uint8_t bytes[FAKE_SIZE + 8], before[FAKE_SIZE];
static uint32_t words[100];

static struct adi *connect_plain(void)
{
	struct adi_setup setup = fake_setup();

	return fake_connect(&fake, &setup);
}

static void read_some(struct adi *adi, uint32_t offset, size_t size)
{
	struct error error = {.message = ""};

	memset(bytes, 0x55, sizeof bytes);
	if (adi_read(adi, fake.base + offset, bytes, size, &error) != STATUS_OK)
		fail_msg("%s", error.message);
	assert_memory_equal(bytes, fake.memory + offset, size);
	for (size_t i = size; i < size + 8; i++)
		assert_int_equal(bytes[i], 0x55);
}

static void write_some(struct adi *adi, uint32_t offset, size_t size)
{
	struct error error = {.message = ""};

	memcpy(before, fake.memory, FAKE_SIZE);
	for (size_t i = 0; i < size; i++)
		bytes[i] = before[offset + i] = (uint8_t)(before[offset + i] * 3 + 1);
	if (adi_write(adi, FAKE_BASE + offset, bytes, size, &error) != STATUS_OK)
		fail_msg("%s", error.message);
	assert_memory_equal(fake.memory, before, FAKE_SIZE);
}

static void expect_failure(struct adi *adi, uint64_t address, size_t size, const char *text)
{
	struct error error = {.message = ""};

	assert_int_equal(adi_read(adi, address, bytes, size, &error), STATUS_FAILED);
	if (strstr(error.message, text) == NULL)
		fail_msg("'%s' is not in: %s", text, error.message);
}

TEST(any_part_is_read_and_written)
{
	uint64_t seed = 7;
	for (unsigned sizes = 4; sizes <= 7; sizes += 3) {
		fake_init(&fake);
		fake.sizes = sizes;
		struct adi *adi = connect_plain();
		for (unsigned round = 0; round < 200; round++) {
			uint32_t offset = fake_random(&seed, FAKE_SIZE), most = round % 2 ? 9 : FAKE_SIZE;
			uint32_t size = fake_random(&seed, FAKE_SIZE - offset + 1) % most;
			read_some(adi, offset, size);
			write_some(adi, offset, size);
		}
		adi_close(adi);
	}
}

/* But what the wire did is tried again, and counted. */
TEST(a_word_that_may_be_absent_is_asked_for_once)
{
	struct error error;
	uint32_t expected;
	fake_init(&fake);
	struct adi *adi = connect_plain();
	memcpy(&expected, fake.memory, 4);
	assert_int_equal(adi_probe(adi, 0xE0042000, words, &error), STATUS_FAILED);
	assert_false(adi_is_lost(adi));
	assert_int_equal(adi_traffic(adi).repeats, 0);
	fake.garble_at = fake.accesses + 2;
	assert_int_equal(adi_probe(adi, FAKE_BASE, words, &error), STATUS_OK);
	assert_int_equal(words[0], expected);
	assert_int_equal(adi_traffic(adi).repeats, 1);
	assert_int_equal(adi_traffic(adi).damaged, 1);
	/* What the probe lost is asked for again, and the wire had no part in it. */
	fake.lose_at = fake.accesses + 2;
	assert_int_equal(adi_probe(adi, FAKE_BASE, words, &error), STATUS_OK);
	assert_int_equal(adi_traffic(adi).repeats, 2);
	assert_int_equal(adi_traffic(adi).damaged, 1);
	assert_int_equal(adi_probe(adi, FAKE_BASE + 2, words, &error), STATUS_FAILED);
	expect_failure(adi, 0xE0042000, 4, "no memory is there");
	assert_int_equal(adi_traffic(adi).repeats, 10);
	assert_int_equal(adi_traffic(adi).damaged, 1);
	adi_close(adi);
}

/* A second of wire at most, in one list, whatever was read before; TAR at each border of its window; nothing beyond the
 * last word. */
TEST(lists_grow_as_they_go_well_up_to_a_whole_read)
{
	fake_init(&fake);
	struct adi *adi = connect_plain();
	read_some(adi, 0, 4);
	unsigned lists = fake.lists;
	/* 256 words, then twice as many each time: 4096 by the fifth. */
	read_some(adi, 0, 0x8000);
	assert_int_equal(fake.lists - lists, 6);
	read_some(adi, 0, 0x8000);
	read_some(adi, 0, 4);
	lists = fake.lists;
	unsigned tar_writes = fake.tar_writes, words_read = fake.words_read;
	read_some(adi, 0x3FE, 0x8000);
	assert_int_equal(fake.lists - lists, 1);
	assert_int_equal(fake.tar_writes - tar_writes, 33);
	assert_int_equal(fake.words_read - words_read, 0x8000 / 4 + 1);
	read_some(adi, FAKE_SIZE - 3, 3);
	adi_close(adi);
}

TEST(a_register_is_read_again_and_again)
{
	struct error error;
	uint32_t expected;
	fake_init(&fake);
	struct adi *adi = connect_plain();
	fake.garble_every = 61;
	memcpy(&expected, fake.memory + 0x13FC, 4);
	assert_int_equal(adi_read_repeatedly(adi, FAKE_BASE + 0x13FC, words, 100, &error), STATUS_OK);
	for (unsigned i = 0; i < 100; i++)
		assert_int_equal(words[i], expected);
	assert_int_equal(adi_read_repeatedly(adi, FAKE_BASE + 2, words, 1, &error), STATUS_FAILED);
	assert_non_null(strstr(error.message, "0x20000002 is not the address of a word"));
	adi_close(adi);
}

TEST(a_cache_is_read_through_where_it_may_be)
{
	for (unsigned round = 0; round < 2; round++) {
		fake_init(&fake);
		fake.protection = round ? 0x73000000 : 0x7F000000;
		struct adi *adi = connect_plain();
		read_some(adi, 0, 4);
		assert_int_equal(fake.ports[0].csw & 0x7F000000, round ? 0x43000000 : 0x4B000000);
		adi_close(adi);
	}
}

/* The address counts up in its lower half alone. */
TEST(memory_across_4_gib_is_read)
{
	fake_init(&fake);
	fake.ports[0].cfg = 2;
	fake.base = 0x1FFFF8000;
	struct adi *adi = connect_plain();
	unsigned aborts = fake.aborts;
	read_some(adi, 0, FAKE_SIZE);
	read_some(adi, 0x7FFE, 4);
	assert_int_equal(fake.aborts, aborts);
	expect_failure(adi, UINT64_MAX, 2, "reaches no memory at 0xffffffffffffffff of 2 bytes");
	adi_close(adi);
}

TEST(cancelling_ends_a_read_but_not_what_closing_needs)
{
	struct adi_setup setup = fake_setup();
	int ends[2];
	assert_int_equal(pipe(ends), 0);
	setup.cancel = ends[0];
	fake_init(&fake);
	struct adi *adi = fake_connect(&fake, &setup);
	assert_int_equal(write(ends[1], "", 1), 1);
	expect_failure(adi, FAKE_BASE, 4, "fake:probe: interrupted");
	adi_close(adi);
	assert_int_equal(fake.ports[0].csw, 0x43000040);
	assert_int_equal(fake.control, 0);
	close(ends[0]);
	close(ends[1]);
}

TEST(memory_that_is_not_there_is_named)
{
	fake_init(&fake);
	struct adi *adi = connect_plain();
	expect_failure(
	        adi, FAKE_BASE + FAKE_SIZE - 0x1000, 0x2000,
	        "fake:probe: cannot read memory at 0x20020000 by access port 0: the target's bus answers with an "
	        "error: no memory is there");
	expect_failure(adi, 0xFFFFFFFC, 8, "access port 0 reaches no memory at 0xfffffffc of 8 bytes");
	expect_failure(adi, 0x120000000, 4, "reaches no memory at 0x120000000");
	assert_int_equal(adi_write(adi, 0, bytes, 4, &(struct error){.message = ""}), STATUS_FAILED);
	read_some(adi, 0, FAKE_SIZE);
	adi_close(adi);
}

/* A reset that the wire shows nothing of: only the power is gone. */
TEST(power_that_was_lost_is_noticed)
{
	for (unsigned round = 0; round < 2; round++) {
		fake_init(&fake);
		fake.is_blank_unpowered = round;
		struct adi *adi = connect_plain();
		fake.control = 0;
		read_some(adi, 0, 0x800);
		assert_int_equal(fake.control, 0x50000000);
		adi_close(adi);
	}
}

TEST(a_write_that_fails_late_is_noticed)
{
	struct error error;
	fake_init(&fake);
	fake.tells_writes_late = true;
	struct adi *adi = connect_plain();
	assert_int_equal(adi_write(adi, 0, bytes, 4, &error), STATUS_FAILED);
	assert_non_null(strstr(error.message, "cannot write memory at 0x0 by access port 0"));
	adi_close(adi);
}
