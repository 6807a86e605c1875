/* SPDX-License-Identifier: MIT */
/* Connecting: whatever state the wire is in, the right debug port and access port are found, or it is said why not. */
#include "fake.h"
#include "test.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static struct fake fake;

static void expect_refusal(const struct adi_setup *setup, enum status expected, const char *text)
{
	struct error error = {.message = ""};
	struct adi *adi;

	assert_int_equal(adi_connect(&fake.dap, setup, &adi, &error), expected);
	assert_null(adi);
	if (strstr(error.message, text) == NULL)
		fail_msg("'%s' is not in: %s", text, error.message);
	assert_int_equal(fake.closed, 1);
}

static void expect_word(struct adi *adi)
{
	struct error error;
	uint8_t bytes[4];

	assert_int_equal(adi_read(adi, FAKE_BASE + 8, bytes, 4, &error), STATUS_OK);
	assert_memory_equal(bytes, fake.memory + 8, 4);
}

TEST(what_was_found_is_left)
{
	for (unsigned round = 0; round < 2; round++) {
		struct adi_setup setup = fake_setup();
		fake_init(&fake);
		fake.control = round ? 0x50000000 : 0;
		struct adi *adi = fake_connect(&fake, &setup);
		assert_int_equal(fake.speed, 4000000);
		assert_int_equal(fake.control, 0x50000000);
		expect_word(adi);
		assert_int_equal(fake.ports[0].csw & 0x0F000037, 0x0B000012);
		adi_close(adi);
		assert_int_equal(fake.control, round ? 0x50000000 : 0);
		assert_int_equal(fake.ports[0].csw, 0x43000040);
		assert_int_equal(fake.closed, 1);
	}
	adi_close(NULL);
}

/* Each access while it is connected to is the one that goes wrong: requests for power of an attempt are not found. */
TEST(what_was_found_is_left_after_any_attempt_that_failed)
{
	for (unsigned at = 1; at < 10; at++) {
		struct adi_setup setup = fake_setup();
		fake_init(&fake);
		fake.garble_at = at;
		struct adi *adi = fake_connect(&fake, &setup);
		adi_close(adi);
		assert_int_equal(fake.control, 0);
	}
}

TEST(what_is_garbled_at_the_end_is_said_again)
{
	for (unsigned after = 1; after < 10; after++) {
		struct adi_setup setup = fake_setup();
		fake_init(&fake);
		struct adi *adi = fake_connect(&fake, &setup);
		expect_word(adi);
		fake.garble_at = fake.accesses + after;
		adi_close(adi);
		assert_int_equal(fake.ports[0].csw, 0x43000040);
		assert_int_equal(fake.control, 0);
	}
}

TEST(a_dormant_port_is_woken)
{
	struct adi_setup setup = fake_setup();
	fake_init(&fake);
	fake.is_dormant = true;
	struct adi *adi = fake_connect(&fake, &setup);
	assert_true(fake.wakeups <= 4);
	expect_word(adi);
	adi_close(adi);
}

TEST(errors_of_an_earlier_program_are_cleared)
{
	struct adi_setup setup = fake_setup();
	fake_init(&fake);
	fake.control = 0x50000020;
	fake.select = 0x07000003;
	struct adi *adi = fake_connect(&fake, &setup);
	expect_word(adi);
	adi_close(adi);
}

/* Powering up an RP2040's debug ports all at once resets it. */
TEST(one_of_several_ports_is_selected_before_power_up)
{
	for (unsigned round = 0; round < 4; round++) {
		struct adi_setup setup = fake_setup();
		fake_init(&fake);
		fake.id = 0x0BC12477;
		fake.is_multi_drop = fake.is_dormant = true;
		fake.is_deaf = round & 1;
		setup.core = round & 2 ? 1 : -1;
		struct adi *adi = fake_connect(&fake, &setup);
		assert_int_equal(fake.target, round & 2 ? 0x11002927 : 0x01002927);
		expect_word(adi);
		fake.reset_at = fake.accesses + 3;
		expect_word(adi);
		adi_close(adi);
		assert_int_equal(fake.rescues, 0);
	}
	struct adi_setup setup = fake_setup();
	fake_init(&fake);
	fake.id = 0x0BC12477;
	fake.is_multi_drop = true;
	setup.core = 15;
	expect_refusal(&setup, STATUS_USAGE, "fake:probe: the RP2040 has no core 15; its cores are 0 to 1");
}

TEST(a_port_that_was_not_selected_is_left_alone)
{
	struct adi_setup setup = fake_setup();
	fake_init(&fake);
	fake.id = 0x0BC12477;
	fake.is_multi_drop = fake.shows_rescue = true;
	expect_refusal(&setup, STATUS_FAILED, "fake:probe: the target does not answer");
	assert_int_equal(fake.control, 0);
}

/* That there may be several debug ports is a guess until one of them says so. */
TEST(a_probe_that_cannot_select_is_told_only_where_it_has_to)
{
	struct adi_setup setup = fake_setup();
	fake_init(&fake);
	fake.is_dead = fake.cannot_select = true;
	expect_refusal(&setup, STATUS_FAILED, "fake:probe: the target does not answer; is it powered");
	fake_init(&fake);
	fake.id = 0x0BC12477;
	fake.is_multi_drop = fake.cannot_select = true;
	expect_refusal(&setup, STATUS_FAILED, "fake:probe: unknown command");
}

TEST(power_that_never_comes_is_told)
{
	struct adi_setup setup = fake_setup();
	fake_init(&fake);
	fake.never_powers = true;
	expect_refusal(&setup, STATUS_FAILED, "gets no power (CTRL/STAT 0x50000000)");
}

TEST(a_port_of_version_3_is_refused)
{
	struct adi_setup setup = fake_setup();
	fake_init(&fake);
	fake.id = 0x4C013477;
	expect_refusal(&setup, STATUS_FAILED, "use openocd:HOST:PORT or gdb:HOST:PORT");
}

TEST(cancelling_ends_it)
{
	struct adi_setup setup = fake_setup();
	int ends[2];
	assert_int_equal(pipe(ends), 0);
	fake_init(&fake);
	fake.is_dead = true;
	setup.cancel = ends[0];
	assert_int_equal(write(ends[1], "", 1), 1);
	expect_refusal(&setup, STATUS_FAILED, "fake:probe: interrupted");
	close(ends[0]);
	close(ends[1]);
}

/* A debugger's port, two that lead to memory (the first switched off), a gap. */
static void lay_out_several(void)
{
	fake_init(&fake);
	fake.ports[0] = (struct fake_port){.idr = FAKE_APB, .csw = 0x40};
	fake.ports[1] = (struct fake_port){.idr = FAKE_AHB, .csw = 0x40, .is_off = true};
	fake.ports[2] = (struct fake_port){.idr = FAKE_AHB, .csw = 0x40};
	fake.ports[4] = (struct fake_port){.idr = FAKE_AHB, .csw = 0x40, .has_core = true};
	fake.ports[5] = (struct fake_port){.idr = FAKE_JTAG};
	fake.ports[7] = (struct fake_port){.idr = FAKE_AHB, .csw = 0x40, .has_core = true};
}

TEST(an_access_port_that_fails_is_none)
{
	struct adi_setup setup = fake_setup();
	fake_init(&fake);
	fake.ports[0].has_failed = true;
	fake.ports[1] = (struct fake_port){.idr = FAKE_AHB, .csw = 0x40};
	struct adi *adi = fake_connect(&fake, &setup);
	expect_word(adi);
	assert_int_equal(fake.select >> 24, 1);
	adi_close(adi);
	fake.ports[1].has_failed = true;
	fake.closed = 0;
	expect_refusal(&setup, STATUS_FAILED, "no access port leads to memory");
}

TEST(what_access_ports_there_are_is_told)
{
	struct adi_setup setup = fake_setup();
	lay_out_several();
	setup.core = 2;
	expect_refusal(&setup, STATUS_FAILED,
	               "there is no core 2, cores 0 to 1 answer; the target's access ports: 0 (APB), 1 (AHB), 2 "
	               "(AHB), 4 (AHB), 5 (other), 7 (AHB)");
	lay_out_several();
	setup.core = -1;
	setup.access_port = 5;
	expect_refusal(&setup, STATUS_FAILED, "access port 5 leads to no memory; the target's access ports: 0 (APB)");
	lay_out_several();
	setup.access_port = 1;
	expect_refusal(&setup, STATUS_FAILED, "access port 1 is switched off; is the target locked?");
	fake_init(&fake);
	fake.ports[0].idr = 0;
	setup.access_port = -1;
	expect_refusal(&setup, STATUS_FAILED,
	               "no access port leads to memory (is the target locked?); the target's "
	               "access ports: none");
	fake_init(&fake);
	fake.ports[0].cfg = 1;
	setup.access_port = 0;
	expect_refusal(&setup, STATUS_FAILED, "access port 0 leads to a big-endian bus");
}

static void collect(void *context, const char *line)
{
	struct fake *to = context;
	size_t length = strlen(to->lines);

	snprintf(to->lines + length, sizeof to->lines - length, "%s\n", line);
}

static void expect_line(const char *line)
{
	if (strstr(fake.lines, line) == NULL)
		fail_msg("'%s' is not in:\n%s", line, fake.lines);
}

TEST(transfers_are_traced)
{
	struct adi_setup setup = fake_setup();
	struct error error;
	uint8_t bytes[2048];
	setup.trace = collect;
	setup.context = &fake;
	fake_init(&fake);
	struct adi *adi = fake_connect(&fake, &setup);
	expect_line("line: JTAG to SWD\n"
	            "DP DPIDR     read  0x2BA01477         : OK\n"
	            "DP ABORT     write 0x0000001E         : OK\n"
	            "DP SELECT    write 0x00000000         : OK\n"
	            "DP CTRL/STAT read  0x00000000         : OK\n"
	            "DP CTRL/STAT write 0x50000000         : OK\n");
	expect_line("AP0 IDR      read  0x24770011         : OK\n");
	assert_int_equal(adi_read(adi, FAKE_BASE, bytes, 1024, &error), STATUS_OK);
	fake.lines[0] = '\0';
	assert_int_equal(adi_read(adi, FAKE_BASE + 0x400, bytes, sizeof bytes, &error), STATUS_OK);
	assert_string_equal(fake.lines, "DP SELECT    write 0x00000000         : OK\n"
	                                "AP0 CSW      write 0x4B000052         : OK\n"
	                                "AP0 TAR      write 0x20000400         : OK\n"
	                                "AP0 DRW      read  0x20000400 x 256   : OK\n"
	                                "AP0 TAR      write 0x20000800         : OK\n"
	                                "AP0 DRW      read  0x20000800 x 256   : OK\n"
	                                "DP CTRL/STAT read  0xF0000000         : OK\n");
	fake.lines[0] = '\0';
	memcpy(fake.memory, (const uint8_t[]){0x41, 0xc2, 0x0f, 0x41, 0, 0, 0, 1}, 8);
	assert_int_equal(adi_read(adi, FAKE_BASE, bytes, 8, &error), STATUS_OK);
	expect_line("AP0 DRW      read  0x20000000 x 2 = 0x410FC241 0x01000000 : OK\n");
	fake.lines[0] = '\0';
	assert_int_equal(adi_read(adi, FAKE_BASE, bytes, 16, &error), STATUS_OK);
	expect_line(" : OK\n");
	assert_non_null(strstr(fake.lines, " x 4 = 0x410FC241 0x01000000 0x"));
	fake.lines[0] = '\0';
	assert_int_equal(adi_read(adi, FAKE_BASE, bytes, 20, &error), STATUS_OK);
	expect_line("AP0 DRW      read  0x20000000 x 5     : OK\n");
	assert_int_equal(adi_read(adi, 0x10000000, bytes, 4, &error), STATUS_FAILED);
	expect_line("AP0 DRW      read  0x10000000 x 1     : this or its neighbours: FAULT\n");
	adi_close(adi);
}
