/* SPDX-License-Identifier: MIT */
/* Memory over SWD and JTAG to a target that is modelled clock by clock: despite any fault, the bytes are right or an
 * error says why; and there are no more clocks than the protocol needs. */
#include "bench.h"
#include "fake.h"
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

_Static_assert(BENCH_RAM_SIZE == FAKE_SIZE, "fake_check_write() compares FAKE_SIZE bytes");

static struct access *adi;

/* Opens a target with these options, ended by NULL. */
static enum status try_connect(const char *const *options, struct error *error)
{
	struct target_setup setup = fake_setup();

	/* Longer than a busy computer takes between two clocks. */
	setup.timeout = 2000;
	bench_open(options);
	return arm_debug_connect(bench.dap, &setup, &adi, error);
}

static void connect_with(const char *option)
{
	const char *const options[] = {option, NULL};

	assert_success(try_connect(options, &failure), &failure);
	assert_int_equal(bench.speed, 4000000);
}

static void disconnect(void)
{
	access_close(adi);
	bench_close();
}

static void read_some(size_t offset, size_t size)
{
	fake_check_read(adi, BENCH_RAM + offset, bench.memory + offset, size);
}

/* For each window of 256 words, 258 requests of 46 clocks over SWD, or of 39 over JTAG. */
static void check_clocks(double budget)
{
	connect_with(NULL);
	uint64_t clocks = swd_counts(bench.target)->clocks;
	read_some(0, 0x10000);
	double per_word = (double)(swd_counts(bench.target)->clocks - clocks) / (0x10000 / 4);
	if (per_word > budget * 1.05)
		fail_msg("%.2f clocks per word", per_word);
	disconnect();
}

TEST(word_takes_few_more_clocks_than_a_request)
{
	check_clocks(46.4);
	bench_wires = BENCH_JTAG;
	check_clocks(39.4);
}

/* A busy access port causes an overrun at each word; only the rejected requests are repeated. */
static void check_slow_access_port(void)
{
	static const char *const options[] = {"busy=20", "busy=100", "wait=7", "wait=1"};

	for (unsigned i = 0; i < sizeof options / sizeof *options; i++) {
		connect_with(options[i]);
		uint64_t words = swd_counts(bench.target)->words;
		read_some(0x123, 0x400);
		assert_in_range(swd_counts(bench.target)->words - words, 0x100, 0x102);
		fake_check_write(adi, BENCH_RAM, bench.memory, 0x123, 0x400);
		disconnect();
	}
}

TEST(slow_access_port_causes_no_double_accesses)
{
	for (bench_wires = BENCH_SWD; bench_wires < BENCH_WIRES; bench_wires++)
		check_slow_access_port();
}

static void check_random_faults(void)
{
	static const char *const names[] = {"wait", "fault", "parity", "silent", "busy", "reset"};
	static uint8_t bytes[3000];
	uint64_t seed = 5;
	unsigned failed = 0;
	time_t start = time(NULL);

	for (unsigned round = 0; round < 60; round++) {
		char text[3][32];
		const char *options[] = {text[0], text[1], text[2], NULL};
		struct error error;

		for (unsigned i = 0; i < 3; i++)
			snprintf(text[i], sizeof text[i], "%s=%u", names[fake_random(&seed, 6)],
			         20 + fake_random(&seed, 400));
		enum status status = try_connect(options, &error);
		size_t offset = fake_random(&seed, 1000), size = fake_random(&seed, 3000);
		if (status == STATUS_OK)
			status = access_read(adi, BENCH_RAM + offset, bytes, size, &error);
		if (status == STATUS_OK)
			assert_memory_equal(bytes, bench.memory + offset, size);
		else
			assert_true(++failed && strncmp(error.message, "lab:wire: ", 10) == 0);
		disconnect();
	}
	assert_true(failed < 20);
	assert_true(time(NULL) - start < 120);
}

TEST(bytes_are_right_despite_random_faults)
{
	for (bench_wires = BENCH_SWD; bench_wires < BENCH_WIRES; bench_wires++)
		check_random_faults();
}

static void check_errors(void)
{
	static const struct {
		const char *option;
		bool is_unplugged;
		const char *message;
	} cases[] = {
	        {NULL, false, "cannot read memory at 0x20020000 by access port 0: the target's bus answers"},
	        {"unplug=150", false, "lab:wire: the target does not answer"},
	        {NULL, true, "lab:wire: unplugged"},
	};

	for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
		connect_with(cases[i].option);
		bench.is_unplugged = cases[i].is_unplugged;
		fake_check_read_fails(adi, BENCH_RAM + BENCH_RAM_SIZE - 0x400, 0x800, cases[i].message);
		disconnect();
	}
}

TEST(errors_state_their_cause)
{
	for (bench_wires = BENCH_SWD; bench_wires < BENCH_WIRES; bench_wires++)
		check_errors();
}
