/* SPDX-License-Identifier: MIT */
/* The access ports of an ADIv6 target, and one of several debug ports on the same wires: the right one is found, or an
 * error says why not, in bounded time. The target is the model, clock by clock. */
#include "bench.h"
#include "fake.h"
#include "test.h"

#include <stdio.h>
#include <string.h>

/* Milliseconds: longer than a busy computer takes between two clocks. */
#define TIMEOUT 2000

static struct access *adi;
static char last_port[32];

/* Notes the access port of the last access to memory: "AP0x2000". */
static void note_port(void *context, const char *line)
{
	if (strstr(line, " DRW ") != NULL)
		snprintf(last_port, sizeof last_port, "%.*s", (int)strcspn(line, " "), line);
}

/* Opens a target with these options, separated by spaces, and connects. */
static enum status try_connect(const char *options, int core, int64_t access_port, struct error *error)
{
	static const struct target_observer observer = {.trace = note_port};
	static char text[128];
	const char *all[6] = {NULL};
	struct target_setup setup = fake_setup();
	size_t count = 0;

	snprintf(text, sizeof text, "%s", options);
	for (char *word = strtok(text, " "); word != NULL; word = strtok(NULL, " "))
		all[count++] = word;
	setup.timeout = TIMEOUT;
	setup.core = core;
	setup.access_port = access_port;
	setup.observer = &observer;
	last_port[0] = '\0';
	bench_open(all);
	return arm_debug_connect(bench.dap, &setup, &adi, error);
}

static void disconnect(void)
{
	access_close(adi);
	adi = NULL;
	bench_close();
}

/* Reads memory by the expected access port. */
static void check_port(const char *options, int core, int64_t access_port, const char *expected)
{
	struct error error;

	if (try_connect(options, core, access_port, &error) != STATUS_OK)
		fail_msg("%s: %s", options, error.message);
	fake_check_read(adi, BENCH_RAM + 0x123, bench.memory + 0x123, 0x1000);
	assert_string_equal(last_port, expected);
	assert_int_equal(swd_counts(bench.target)->rescues, 0);
	disconnect();
}

static void check_error(const char *options, int64_t access_port, const char *message, uint64_t max_clocks)
{
	struct error error = {.message = ""};

	assert_int_equal(try_connect(options, -1, access_port, &error), STATUS_FAILED);
	if (strstr(error.message, message) == NULL)
		fail_msg("%s: '%s' is not in: %s", options, message, error.message);
	assert_in_range(swd_counts(bench.target)->clocks, 1, max_clocks);
	disconnect();
}

#define ADIV6 "dpidr=0x4c013477 "

static int use_swd(void **state)
{
	bench_wires = BENCH_SWD;
	return 0;
}

EACH_TEST(use_swd, NULL);

static void check_tables(void)
{
	check_port(ADIV6 "ap=0x2000", -1, -1, "AP0x2000");
	check_port(ADIV6 "ap=0x2000 rom=nested", -1, -1, "AP0x2000");
	check_port(ADIV6 "ap=0x2000 rom=cyclic", -1, -1, "AP0x2000");
	check_port(ADIV6 "ap=0x80002000 rom-at=0x80000000", -1, -1, "AP0x80002000");
	/* With an offset of -0x2000. */
	check_port(ADIV6 "ap=0x2000 rom-at=0x4000", -1, -1, "AP0x2000");
}

TEST(access_ports_are_found_by_rom_tables)
{
	for (bench_wires = BENCH_SWD; bench_wires < BENCH_WIRES; bench_wires++)
		check_tables();
}

TEST(jtag_instructions_have_4_or_8_bits)
{
	bench_wires = BENCH_JTAG;
	check_port(ADIV6 "ap=0x2000 ir=8", -1, -1, "AP0x2000");
	check_port(ADIV6 "ap=0x2000 ir=8 boundary=5 fault=100", -1, -1, "AP0x2000");
	check_port("ir=8", -1, -1, "AP0");
}

static void check_high_addresses(void)
{
	check_port(ADIV6 "asize=40 rom-at=0x100000000 ap=0x100002000", -1, -1, "AP0x100002000");
	check_port(ADIV6 "asize=40 rom-at=0x100000000 ap=0x100002000 rom=nested", -1, -1, "AP0x100002000");
	check_port(ADIV6 "asize=52 ap=0xf000000002000 rom=none", -1, 0xf000000002000, "AP0xF000000002000");
}

TEST(access_ports_above_4_gib_need_select1)
{
	for (bench_wires = BENCH_SWD; bench_wires < BENCH_WIRES; bench_wires++)
		check_high_addresses();
}

TEST(core_number_selects_the_access_port)
{
	check_port("rp2350=1", -1, -1, "AP0x2000");
	check_port("rp2350=1", 0, -1, "AP0x2000");
	check_port("rp2350=1", 1, -1, "AP0x4000");
}

TEST(core_number_selects_the_debug_port)
{
	check_port("rp2040=1", -1, -1, "AP0");
	check_port("rp2040=1", 1, -1, "AP0");
}

TEST(address_needs_no_rom_table)
{
	check_port(ADIV6 "ap=0x2000 rom=none", -1, 0x2000, "AP0x2000");
	check_error("rp2350=1", 0x6000,
	            "lab:wire: access port 0x6000 leads to no memory; the target's access ports: 0x2000 (AHB), 0x4000 "
	            "(AHB), 0xA000 (APB)",
	            20000);
	check_error("rp2350=1", 0xa000, "lab:wire: access port 0xA000 is switched off", 20000);
	check_error("rp2350=1", 0x2004, "lab:wire: access port 0x2004 leads to no memory", 20000);
	check_error("rp2350=1", 0x100002000, "lab:wire: access port 0x100002000 leads to no memory", 20000);
	check_error("ap=0", 0x2000,
	            "lab:wire: access port 0x2000 leads to no memory; the target's access ports: 0 (AHB)", 20000);
}

static void check_hostile_tables(void)
{
	check_error(ADIV6 "ap=0x2000 rom=endless", -1, "lab:wire: the target's ROM tables do not end", 500000);
	check_error(ADIV6 "ap=0x2000 rom=full", -1, "lab:wire: the target's ROM tables do not end", 500000);
	check_error(ADIV6 "ap=0x2000 rom=astray", -1, "no access port leads to memory", 20000);
	check_error(ADIV6 "ap=0x2000 rom=none", -1, "lab:wire: the target's debug port names no ROM table", 20000);
	check_error(ADIV6 "ap=0x2000 asize=3", -1,
	            "lab:wire: the target's debug port has access ports at addresses of 3 bits", 20000);
	check_error(ADIV6 "ap=0x2000 asize=100", -1, "at addresses of 100 bits (DPIDR1 0x00000064)", 20000);
}

TEST(hostile_rom_tables_end_in_an_error)
{
	for (bench_wires = BENCH_SWD; bench_wires < BENCH_WIRES; bench_wires++)
		check_hostile_tables();
}

/* Wherever it happens, from the first request to the first word. */
TEST(faults_while_ports_are_found_are_survived)
{
	static const char *const faults[] = {"reset", "silent", "wait"};
	char options[64];

	for (size_t i = 0; i < sizeof faults / sizeof *faults; i++)
		for (unsigned at = 2; at < 140; at += 3) {
			/* A port that is silent too often never connects. */
			if (strcmp(faults[i], "silent") == 0 && at < 60)
				continue;
			snprintf(options, sizeof options, "rp2350=1 rom=nested %s=%u", faults[i], at);
			check_port(options, 1, -1, "AP0x4000");
		}
}

/* CSW.ERRNPASS is cleared while the access port is in use. */
TEST(errors_that_the_access_port_hides_are_reported)
{
	check_port(ADIV6 "ap=0x2000 hidden=1 fault=100", -1, -1, "AP0x2000");
}

/* An access that failed, or never ended, when the last program lost its probe. */
static void check_state_left(const char *options)
{
	struct target_setup setup = fake_setup();
	uint8_t byte;

	setup.timeout = TIMEOUT;
	assert_success(try_connect(options, -1, -1, &failure), &failure);
	bench.unplugs_in = 2;
	assert_int_equal(access_read(adi, 0x10000000, &byte, 1, &failure), STATUS_FAILED);
	access_close(adi);
	bench.is_unplugged = false;
	bench_open_again();
	if (arm_debug_connect(bench.dap, &setup, &adi, &failure) != STATUS_OK)
		fail_msg("%s: %s", options, failure.message);
	fake_check_read(adi, BENCH_RAM, bench.memory, 0x40);
	disconnect();
}

TEST(state_that_another_program_left_is_cleared)
{
	for (bench_wires = BENCH_SWD; bench_wires < BENCH_WIRES; bench_wires++) {
		check_state_left(ADIV6 "ap=0x2000");
		check_state_left(ADIV6 "ap=0x2000 wait-for-ever=60");
		check_state_left("wait-for-ever=60");
	}
}
