/* SPDX-License-Identifier: MIT */
/* Memory through nothing but two wires to a target that is modelled clock by clock: the bytes are right whatever goes
 * wrong, or there is an error that says why; and no clock is made that the protocol does not need. */
#include "bench.h"
#include "fake.h"
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static uint8_t bytes[BENCH_RAM_SIZE + 8];

/* Options, ended by NULL. NULL is returned where there is an error that says why. */
static struct adi *try_connect(const char *const *options, struct error *error)
{
	struct adi_setup setup = fake_setup();
	struct adi *adi;

	/* More than what may come between two clocks of a busy computer. */
	setup.timeout = 2000;
	bench_open(options);
	return adi_connect(bench.dap, &setup, &adi, error) == STATUS_OK ? adi : NULL;
}

static struct adi *connect_plain(const char *const *options)
{
	struct error error = {.message = ""};
	struct adi *adi = try_connect(options, &error);

	if (adi == NULL)
		fail_msg("%s", error.message);
	assert_int_equal(bench.speed, 4000000);
	return adi;
}

static void expect_bytes(size_t offset, size_t size)
{
	assert_memory_equal(bytes, bench.memory + offset, size);
	for (size_t i = size; i < size + 8; i++)
		assert_int_equal(bytes[i], 0x55);
}

static void read_some(struct adi *adi, size_t offset, size_t size)
{
	struct error error = {.message = ""};

	memset(bytes, 0x55, sizeof bytes);
	if (adi_read(adi, BENCH_RAM + offset, bytes, size, &error) != STATUS_OK)
		fail_msg("%s", error.message);
	expect_bytes(offset, size);
}

static void write_some(struct adi *adi, size_t offset, size_t size)
{
	static uint8_t expected[BENCH_RAM_SIZE];
	struct error error = {.message = ""};

	memcpy(expected, bench.memory, BENCH_RAM_SIZE);
	for (size_t i = 0; i < size; i++)
		bytes[i] = expected[offset + i] = (uint8_t)(expected[offset + i] * 5 + 3);
	if (adi_write(adi, BENCH_RAM + offset, bytes, size, &error) != STATUS_OK)
		fail_msg("%s", error.message);
	assert_memory_equal(bench.memory, expected, BENCH_RAM_SIZE);
}

static void finish(struct adi *adi)
{
	adi_close(adi);
	bench_close();
}

/* 258 requests of 46 clocks for each window of 256 words. */
TEST(a_word_takes_the_clocks_that_it_needs)
{
	const char *const none[] = {NULL};
	struct adi *adi = connect_plain(none);
	uint64_t clocks = swd_counts(bench.target)->clocks;
	read_some(adi, 0, 0x10000);
	double per_word = (double)(swd_counts(bench.target)->clocks - clocks) / (0x10000 / 4);
	if (per_word > 46.4 * 1.05)
		fail_msg("%.2f clocks per word", per_word);
	finish(adi);
}

/* The busy access port overruns the stream at each word: what was not taken is sent again, and only that. */
TEST(a_slow_access_port_is_waited_for)
{
	static const char *const targets[][2] = {{"busy=20"}, {"busy=100"}, {"wait=7"}, {"wait=1"}};
	for (unsigned i = 0; i < sizeof targets / sizeof *targets; i++) {
		struct adi *adi = connect_plain(targets[i]);
		uint64_t words = swd_counts(bench.target)->words;
		read_some(adi, 0x123, 0x400);
		assert_in_range(swd_counts(bench.target)->words - words, 0x100, 0x102);
		write_some(adi, 0x123, 0x400);
		finish(adi);
	}
}

TEST(whatever_fails_no_byte_is_wrong)
{
	static const char *const names[] = {"wait", "fault", "parity", "silent", "busy", "reset"};
	uint64_t seed = 5;
	unsigned failed = 0;
	time_t start = time(NULL);
	for (unsigned round = 0; round < 60; round++) {
		char text[3][32];
		const char *options[] = {text[0], text[1], text[2], NULL};
		struct error error = {.message = ""};
		for (unsigned i = 0; i < 3; i++)
			snprintf(text[i], sizeof text[i], "%s=%u", names[fake_random(&seed, 6)],
			         20 + fake_random(&seed, 400));
		struct adi *adi = try_connect(options, &error);
		size_t offset = fake_random(&seed, 1000), size = fake_random(&seed, 3000);
		memset(bytes, 0x55, sizeof bytes);
		if (adi != NULL && adi_read(adi, BENCH_RAM + offset, bytes, size, &error) == STATUS_OK)
			expect_bytes(offset, size);
		else
			assert_true(++failed && strncmp(error.message, "lab:wire: ", 10) == 0);
		finish(adi);
	}
	assert_true(failed < 20);
	assert_true(time(NULL) - start < 120);
}

static void expect_failure(struct adi *adi, const char *text)
{
	struct error error = {.message = ""};

	assert_int_equal(adi_read(adi, BENCH_RAM + BENCH_RAM_SIZE - 0x400, bytes, 0x800, &error), STATUS_FAILED);
	if (strstr(error.message, text) == NULL)
		fail_msg("'%s' is not in: %s", text, error.message);
	finish(adi);
}

TEST(what_ends_it_is_told)
{
	const char *const none[] = {NULL}, *const gone[] = {"unplug=150", NULL};
	expect_failure(connect_plain(none),
	               "cannot read memory at 0x20020000 by access port 0: the target's bus answers");
	expect_failure(connect_plain(gone), "lab:wire: the target does not answer");
	struct adi *adi = connect_plain(none);
	bench.is_unplugged = true;
	expect_failure(adi, "lab:wire: unplugged");
}
