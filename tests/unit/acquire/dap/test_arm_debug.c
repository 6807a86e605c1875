/* SPDX-License-Identifier: MIT */
/* Connecting: the right debug port and access port are found in any state of the wire, or an error says why not. */
#include "fake.h"
#include "test.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static void expect_failure(enum status expected, const char *text)
{
	struct error error = {.message = ""};

	assert_int_equal(arm_debug_connect(&fake.dap, &fake.setup, &fake.adi, &error), expected);
	assert_null(fake.adi);
	assert_contains(error.message, text);
	assert_int_equal(fake.closed, 1);
}

static void expect_word(void)
{
	struct error error;
	uint8_t bytes[4];

	assert_int_equal(access_read(fake.adi, FAKE_BASE + 8, bytes, 4, &error), STATUS_OK);
	assert_memory_equal(bytes, fake.memory + 8, 4);
}

EACH_TEST(fake_set_up, fake_tear_down);

TEST(power_and_csw_are_restored_when_closed)
{
	for (unsigned round = 0; round < 2; round++) {
		fake_init();
		fake.control = round ? 0x50000000 : 0;
		fake_connect();
		assert_int_equal(fake.speed, 4000000);
		assert_int_equal(fake.control, 0x50000000);
		expect_word();
		assert_int_equal(fake.ports[0].csw & 0x0F000037, 0x0B000012);
		fake_disconnect();
		assert_int_equal(fake.control, round ? 0x50000000 : 0);
		assert_int_equal(fake.ports[0].csw, 0x43000040);
		assert_int_equal(fake.closed, 1);
	}
	access_close(NULL);
}

/* A failed attempt may have requested power already. */
TEST(power_is_restored_after_a_failed_attempt_to_connect)
{
	for (unsigned at = 1; at < 10; at++) {
		fake_init();
		fake.garble_at = at;
		fake_connect();
		fake_disconnect();
		assert_int_equal(fake.control, 0);
	}
}

TEST(garbled_transfers_are_repeated_while_closing)
{
	for (unsigned after = 1; after < 10; after++) {
		fake_init();
		fake_connect();
		expect_word();
		fake.garble_at = fake.accesses + after;
		fake_disconnect();
		assert_int_equal(fake.ports[0].csw, 0x43000040);
		assert_int_equal(fake.control, 0);
	}
}

TEST(dormant_port_is_woken_up)
{
	fake.is_dormant = true;
	fake_connect();
	assert_true(fake.wakeups <= 4);
	expect_word();
}

TEST(errors_left_by_another_program_are_cleared)
{
	fake.control = 0x50000020;
	fake.select = 0x07000003;
	fake_connect();
	expect_word();
}

/* Powering up all debug ports of an RP2040 at once resets it. */
TEST(one_of_several_ports_is_selected_before_power_up)
{
	for (unsigned round = 0; round < 4; round++) {
		fake_init();
		fake.id = 0x0BC12477;
		fake.is_multi_drop = fake.is_dormant = true;
		fake.is_deaf = round & 1;
		fake.setup.core = round & 2 ? 1 : -1;
		fake_connect();
		assert_int_equal(fake.target, round & 2 ? 0x11002927 : 0x01002927);
		expect_word();
		fake.reset_at = fake.accesses + 3;
		expect_word();
		fake_disconnect();
		assert_int_equal(fake.rescues, 0);
	}
	fake_init();
	fake.id = 0x0BC12477;
	fake.is_multi_drop = true;
	fake.setup.core = 15;
	expect_failure(STATUS_USAGE, "fake:probe: the RP2040 has no core 15; its cores are 0 to 1");
}

TEST(port_that_was_not_selected_is_left_alone)
{
	fake.id = 0x0BC12477;
	fake.is_multi_drop = fake.shows_rescue = true;
	expect_failure(STATUS_FAILED, "fake:probe: the target does not answer");
	assert_int_equal(fake.control, 0);
}

/* Until a debug port identifies itself, several are only a guess. */
TEST(probe_that_cannot_select_fails_only_if_it_must)
{
	fake.is_dead = fake.cannot_select = true;
	expect_failure(STATUS_FAILED, "fake:probe: the target does not answer; is it powered");
	fake_init();
	fake.id = 0x0BC12477;
	fake.is_multi_drop = fake.cannot_select = true;
	expect_failure(STATUS_FAILED, "fake:probe: unknown command");
}

TEST(missing_power_is_reported)
{
	fake.never_powers = true;
	expect_failure(STATUS_FAILED, "gets no power (CTRL/STAT 0x50000000)");
}

TEST(port_of_version_4_is_refused)
{
	fake.id = 0x4C014477;
	expect_failure(STATUS_FAILED, "use openocd:HOST:PORT or gdb:HOST:PORT");
}

TEST(cancelling_ends_connecting)
{
	int ends[2];

	assert_int_equal(pipe(ends), 0);
	fake.is_dead = true;
	fake.setup.cancel = ends[0];
	assert_int_equal(write(ends[1], "", 1), 1);
	expect_failure(STATUS_FAILED, "fake:probe: interrupted");
	close(ends[0]);
	close(ends[1]);
}

/* Several access ports with gaps; the first that leads to memory is switched off. */
static void init_several(void)
{
	fake_init();
	fake.ports[0] = (struct fake_port){.idr = FAKE_APB, .csw = 0x40};
	fake.ports[1] = (struct fake_port){.idr = FAKE_AHB, .csw = 0x40, .is_off = true};
	fake.ports[2] = (struct fake_port){.idr = FAKE_AHB, .csw = 0x40};
	fake.ports[4] = (struct fake_port){.idr = FAKE_AHB, .csw = 0x40, .has_core = true};
	fake.ports[5] = (struct fake_port){.idr = FAKE_JTAG};
	fake.ports[7] = (struct fake_port){.idr = FAKE_AHB, .csw = 0x40, .has_core = true};
}

TEST(access_port_that_fails_counts_as_missing)
{
	fake.ports[0].has_failed = true;
	fake.ports[1] = (struct fake_port){.idr = FAKE_AHB, .csw = 0x40};
	fake_connect();
	expect_word();
	assert_int_equal(fake.select >> 24, 1);
	fake_disconnect();
	fake.ports[1].has_failed = true;
	fake.closed = 0;
	expect_failure(STATUS_FAILED, "no access port leads to memory");
}

TEST(errors_list_the_access_ports)
{
	static const struct {
		int access_port, core;
		const char *message;
	} cases[] = {
	        {-1, 2,
	         "there is no core 2: cores 0 to 1 answer; the target's access ports: 0 (APB), 1 (AHB), 2 (AHB), 4 "
	         "(AHB), 5 "
	         "(other), 7 (AHB)"},
	        {5, -1, "access port 5 leads to no memory; the target's access ports: 0 (APB)"},
	        {1, -1, "access port 1 is switched off; is the target locked?"},
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		init_several();
		fake.setup.access_port = cases[i].access_port;
		fake.setup.core = cases[i].core;
		expect_failure(STATUS_FAILED, cases[i].message);
	}
	fake_init();
	fake.ports[0].idr = 0;
	expect_failure(STATUS_FAILED,
	               "no access port leads to memory (is the target locked?); the target's access ports: none");
	fake_init();
	fake.ports[0].cfg = 1;
	fake.setup.access_port = 0;
	expect_failure(STATUS_FAILED, "access port 0 leads to a big-endian bus");
}

static void collect(void *context, const char *line)
{
	size_t length = strlen(fake.lines);

	snprintf(fake.lines + length, sizeof fake.lines - length, "%s\n", line);
}

static void expect_line(const char *line)
{
	assert_contains(fake.lines, line);
}

TEST(transfers_are_traced)
{
	static const struct target_observer observer = {.trace = collect};
	struct error error;
	uint8_t bytes[2048];

	fake.setup.observer = &observer;
	fake_connect();
	expect_line("line: JTAG to SWD\n"
	            "DP DPIDR     read  0x2BA01477         : OK\n"
	            "DP ABORT     write 0x0000001E         : OK\n"
	            "DP SELECT    write 0x00000000         : OK\n"
	            "DP CTRL/STAT read  0x00000000         : OK\n"
	            "DP CTRL/STAT write 0x50000000         : OK\n");
	expect_line("AP0 IDR      read  0x24770011         : OK\n");
	assert_int_equal(access_read(fake.adi, FAKE_BASE, bytes, 1024, &error), STATUS_OK);
	fake.lines[0] = '\0';
	assert_int_equal(access_read(fake.adi, FAKE_BASE + 0x400, bytes, sizeof bytes, &error), STATUS_OK);
	assert_string_equal(fake.lines, "DP SELECT    write 0x00000000         : OK\n"
	                                "AP0 CSW      write 0x4B000052         : OK\n"
	                                "AP0 TAR      write 0x20000400         : OK\n"
	                                "AP0 DRW      read  0x20000400 x 256   : OK\n"
	                                "AP0 TAR      write 0x20000800         : OK\n"
	                                "AP0 DRW      read  0x20000800 x 256   : OK\n"
	                                "DP CTRL/STAT read  0xF0000000         : OK\n");
	fake.lines[0] = '\0';
	memcpy(fake.memory, (const uint8_t[]){0x41, 0xc2, 0x0f, 0x41, 0, 0, 0, 1}, 8);
	assert_int_equal(access_read(fake.adi, FAKE_BASE, bytes, 8, &error), STATUS_OK);
	expect_line("AP0 DRW      read  0x20000000 x 2 = 0x410FC241 0x01000000 : OK\n");
	fake.lines[0] = '\0';
	assert_int_equal(access_read(fake.adi, FAKE_BASE, bytes, 16, &error), STATUS_OK);
	expect_line(" : OK\n");
	assert_non_null(strstr(fake.lines, " x 4 = 0x410FC241 0x01000000 0x"));
	fake.lines[0] = '\0';
	assert_int_equal(access_read(fake.adi, FAKE_BASE, bytes, 20, &error), STATUS_OK);
	expect_line("AP0 DRW      read  0x20000000 x 5     : OK\n");
	assert_int_equal(access_read(fake.adi, 0x10000000, bytes, 4, &error), STATUS_FAILED);
	expect_line("AP0 DRW      read  0x10000000 x 1     : this or its neighbours: FAULT\n");
}
