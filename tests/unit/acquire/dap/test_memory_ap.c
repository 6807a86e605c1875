/* SPDX-License-Identifier: MIT */
/* Memory through an access port: despite any fault, the bytes are right or an error says why. */
#include "fake.h"
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static uint32_t words[100];

static void read_some(uint32_t offset, size_t size)
{
	fake_check_read(fake.adi, fake.base + offset, fake.memory + offset, size);
}

static void expect_failure(uint64_t address, size_t size, const char *message)
{
	fake_check_read_fails(fake.adi, address, size, message);
}

EACH_TEST(fake_set_up, fake_tear_down);

TEST(access_port_with_and_without_byte_accesses_is_written)
{
	for (unsigned sizes = 4; sizes <= 7; sizes += 3) {
		fake_init();
		fake.sizes = sizes;
		fake_connect();
		fake_check_write(fake.adi, FAKE_BASE, fake.memory, 5, 5000);
		read_some(3, FAKE_SIZE - 3);
	}
}

TEST(absent_word_is_requested_once)
{
	struct error error;
	uint32_t word;

	fake_connect();
	assert_int_equal(access_probe(fake.adi, 0xE0042000, &word, &error), STATUS_FAILED);
	assert_false(*fake.adi->is_lost);
	assert_int_equal(access_traffic(fake.adi).repeats, 0);
	expect_failure(0xE0042000, 4, "no memory is there");
	assert_int_equal(access_traffic(fake.adi).repeats, 8);
}

/* A list takes up to a second, even after a short read. TAR is written once per window, and nothing is read beyond the
 * last word. */
TEST(successful_lists_grow_up_to_a_whole_read)
{
	fake_connect();
	read_some(0, 4);
	unsigned lists = fake.lists;
	/* 256 words, then twice as many each time: 4096 by the fifth. */
	read_some(0, 0x8000);
	assert_int_equal(fake.lists - lists, 6);
	read_some(0, 0x8000);
	read_some(0, 4);
	lists = fake.lists;
	unsigned tar_writes = fake.tar_writes, words_read = fake.words_read;
	read_some(0x3FE, 0x8000);
	assert_int_equal(fake.lists - lists, 1);
	assert_int_equal(fake.tar_writes - tar_writes, 33);
	assert_int_equal(fake.words_read - words_read, 0x8000 / 4 + 1);
	read_some(FAKE_SIZE - 3, 3);
}

TEST(register_is_read_repeatedly)
{
	struct error error;
	uint32_t expected;

	fake_connect();
	fake.garble_every = 61;
	memcpy(&expected, fake.memory + 0x13FC, 4);
	assert_int_equal(access_read_register(fake.adi, FAKE_BASE + 0x13FC, words, 100, &error), STATUS_OK);
	for (unsigned i = 0; i < 100; i++)
		assert_int_equal(words[i], expected);
}

TEST(reads_go_through_the_cache_if_allowed)
{
	for (unsigned round = 0; round < 2; round++) {
		fake_init();
		fake.protection = round ? 0x73000000 : 0x7F000000;
		fake_connect();
		read_some(0, 4);
		assert_int_equal(fake.ports[0].csw & 0x7F000000, round ? 0x43000000 : 0x4B000000);
	}
}

/* TARH does not count up. */
TEST(memory_across_4_gib_is_read)
{
	fake.ports[0].cfg = 2;
	fake.base = 0x1FFFF8000;
	fake_connect();
	unsigned aborts = fake.aborts;
	read_some(0, FAKE_SIZE);
	read_some(0x7FFE, 4);
	assert_int_equal(fake.aborts, aborts);
	expect_failure(UINT64_MAX, 2, "reaches no memory at 0xffffffffffffffff of 2 bytes");
}

TEST(cancelling_ends_a_read_but_not_closing)
{
	int ends[2];

	assert_int_equal(pipe(ends), 0);
	fake.setup.cancel = ends[0];
	fake_connect();
	assert_int_equal(write(ends[1], "", 1), 1);
	expect_failure(FAKE_BASE, 4, "fake:probe: interrupted");
	fake_disconnect();
	assert_int_equal(fake.ports[0].csw, 0x43000040);
	assert_int_equal(fake.control, 0);
	close(ends[0]);
	close(ends[1]);
}

TEST(missing_memory_is_reported_with_its_address)
{
	fake_connect();
	expect_failure(
	        FAKE_BASE + FAKE_SIZE - 0x1000, 0x2000,
	        "fake:probe: cannot read memory at 0x20020000 by access port 0: the target's bus answers with an "
	        "error: no memory is there");
	expect_failure(0x120000000, 4, "reaches no memory at 0x120000000");
	assert_int_equal(access_write(fake.adi, 0, words, 4, &(struct error){.message = ""}), STATUS_FAILED);
	read_some(0, FAKE_SIZE);
}

/* After a reset that is invisible on the wire, only the power request is gone. */
TEST(lost_power_is_noticed)
{
	for (unsigned round = 0; round < 2; round++) {
		fake_init();
		fake.is_blank_unpowered = round;
		fake_connect();
		fake.control = 0;
		read_some(0, 0x800);
		assert_int_equal(fake.control, 0x50000000);
	}
}

TEST(late_failure_of_a_write_is_noticed)
{
	struct error error;

	fake.fails_late = true;
	fake_connect();
	assert_int_equal(access_write(fake.adi, 0, words, 4, &error), STATUS_FAILED);
	assert_non_null(strstr(error.message, "cannot write memory at 0x0 by access port 0"));
}
