/* SPDX-License-Identifier: MIT */
/* The ST-Link driver against the model of a probe whose answers are spoilt. */
#include "fake_stlink.h"

#include "acquire/probe/stlink.h"
#include "base/wait.h"
#include "test.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define BASE FAKE_STLINK_BASE

enum { READ_WORDS = 0x07, WRITE_WORDS = 0x08, WRITE_BYTES = 0x0D, WRITE_REGISTER = 0x35 };
enum { READ_REGISTER = 0x36, LAST_STATUS = 0x3E };

static struct fake_stlink fake;
static struct access *stlink; /* NULL: not open */
static struct target_setup setup;
static uint8_t bytes[FAKE_STLINK_SIZE];

static int tear_down(void **state)
{
	access_close(stlink);
	stlink = NULL;
	return 0;
}

static int set_up(void **state)
{
	tear_down(state);
	fake_stlink_init(&fake, 2, 37, NULL);
	setup = (struct target_setup){.speed = 4000000,
	                              .access_port = -1,
	                              .core = -1,
	                              .cancel = -1,
	                              .timeout = 100,
	                              .clock = &clock_system,
	                              .observer = &target_nobody};
	memset(&failure, 0, sizeof failure);
	return 0;
}

static int end(void **state)
{
	tear_down(state);
	fake_stlink_end(&fake);
	return 0;
}

EACH_TEST(set_up, tear_down);
ALL_TESTS(NULL, end);

static enum status try_open(void)
{
	return stlink_open(&fake.exchange, &setup, &stlink, &failure);
}

static void open_probe(void)
{
	assert_success(try_open(), &failure);
	fake.command_count = fake.answer_count = 0;
}

static void expect_refusal(const char *part)
{
	assert_int_equal(try_open(), STATUS_FAILED);
	assert_contains(failure.message, part);
	assert_true(fake.is_closed);
}

static void expect_read(uint64_t address, size_t size)
{
	memset(bytes, 0, size);
	assert_success(access_read(stlink, address, bytes, size, &failure), &failure);
	assert_memory_equal(bytes, fake.memory + (address - BASE), size);
}

static void expect_clean(void)
{
	assert_int_equal(fake.firmware.violations, 0);
	assert_int_equal(fake.wrong_phases, 0);
}

/* --- Accesses */

TEST(head_and_tail_are_written_as_bytes)
{
	static uint8_t expected[20100];

	open_probe();
	memcpy(expected, fake.memory, sizeof expected);
	memset(bytes, 0xAA, 20000);
	memset(expected + 3, 0xAA, 20000);
	assert_int_equal(access_write(stlink, BASE + 3, bytes, 20000, &failure), STATUS_OK);
	assert_memory_equal(fake.memory, expected, sizeof expected);
	assert_int_equal(fake_stlink_count(&fake, WRITE_BYTES), 2);
	expect_read(BASE + 1021, 20000);
	expect_clean();
}

TEST(long_read_takes_two_commands_for_6_kib)
{
	open_probe();
	expect_read(BASE + 0x104, 1 << 20);
	assert_true(fake.command_count * 6144.0 <= 2.04 * (1 << 20));
	/* Each but the last ends with a window of TAR. */
	for (unsigned i = 0; i + 2 < fake.command_count; i += 2) {
		const uint8_t *command = fake.commands[i];
		uint32_t address = command[2] | (uint32_t)command[3] << 8 | (uint32_t)command[4] << 16;

		assert_int_equal(command[1], READ_WORDS);
		assert_int_equal((address + command[6] + command[7] * 256u) % 1024, 0);
		assert_int_equal(fake.commands[i + 1][1], LAST_STATUS);
	}
	expect_clean();
}

TEST(slow_clock_makes_short_commands)
{
	setup.speed = 25000;
	open_probe();
	expect_read(BASE, 4096);
	assert_int_equal(fake_stlink_count(&fake, READ_WORDS), 4);
}

TEST(registers_take_a_command_each)
{
	uint32_t words[20];

	open_probe();
	assert_int_equal(access_read_register(stlink, BASE + 4, words, 20, &failure), STATUS_OK);
	for (unsigned i = 0; i < 20; i++)
		assert_memory_equal(&words[i], fake.memory + 4, 4);
	assert_int_equal(fake.command_count, 20);
	assert_int_equal(access_write_register(stlink, BASE + 8, 0x12345678, &failure), STATUS_OK);
	assert_int_equal(fake.memory[8], 0x78);
	assert_int_equal(fake.command_count, 21);
	expect_clean();
}

TEST(another_access_port_serves_registers_by_memory_commands)
{
	uint32_t word = 0;

	fake_stlink_init(&fake, 2, 37, (const char *const[]){"ap=3", NULL});
	open_probe();
	assert_int_equal(access_read_register(stlink, BASE, &word, 1, &failure), STATUS_OK);
	assert_memory_equal(&word, fake.memory, 4);
	assert_int_equal(fake_stlink_count(&fake, READ_REGISTER), 0);
	/* The port and the bits of CSW that allow a look into the cache. */
	assert_int_equal(fake.commands[0][8], 3);
	assert_int_equal(fake.commands[0][11] & 0x08, 0x08);
	expect_clean();
}

TEST(old_firmware_gets_no_access_port)
{
	fake_stlink_init(&fake, 2, 31, NULL);
	open_probe();
	expect_read(BASE, 64);
	for (unsigned i = 8; i < STLINK_COMMAND_SIZE; i++)
		assert_int_equal(fake.commands[0][i], 0);
	expect_clean();
}

TEST(reading_writes_nothing)
{
	open_probe();
	expect_read(BASE, 100000);
	assert_int_equal(fake_stlink_count(&fake, WRITE_REGISTER) + fake_stlink_count(&fake, WRITE_WORDS) +
	                         fake_stlink_count(&fake, WRITE_BYTES),
	                 0);
	assert_int_equal(swd_counts(fake.firmware.target)->halts, 0);
}

TEST(memory_beyond_4_gib_is_refused)
{
	open_probe();
	assert_int_equal(access_read(stlink, UINT32_MAX - 3, bytes, 5, &failure), STATUS_FAILED);
	assert_contains(failure.message, "access port 0 reaches no memory at 0xfffffffc of 5 bytes");
}

/* --- Answers that are lost or wrong. *context is the number of the answer. */

static bool is_due(const struct fake_stlink *of, unsigned number)
{
	return *(const unsigned *)of->context == number;
}

static void lose(struct fake_stlink *of, unsigned number, uint8_t *answer, size_t *size)
{
	if (is_due(of, number))
		*size = 0;
}

static void shorten(struct fake_stlink *of, unsigned number, uint8_t *answer, size_t *size)
{
	if (is_due(of, number))
		*size -= 1;
}

static void lengthen(struct fake_stlink *of, unsigned number, uint8_t *answer, size_t *size)
{
	if (is_due(of, number))
		*size += 64;
}

TEST(spoilt_answer_is_requested_again)
{
	static void (*const ways[])(struct fake_stlink *, unsigned, uint8_t *, size_t *) = {lose, shorten, lengthen};

	for (size_t way = 0; way < 3; way++)
		for (unsigned number = 1; number <= 8; number++) {
			set_up(NULL);
			open_probe();
			fake.spoil = ways[way];
			fake.context = &number;
			expect_read(BASE + 2, 20000);
			assert_int_equal(access_traffic(stlink).packets_lost, 1);
		}
}

/* The answer to a command before, of six bytes, instead of the version. */
static void lose_then_mix_up(struct fake_stlink *of, unsigned number, uint8_t *answer, size_t *size)
{
	if (number == 2)
		*size = 0;
	if (number == 3)
		memset(answer, 0x80, *size);
}

TEST(late_answer_is_not_mistaken_for_another)
{
	open_probe();
	fake.spoil = lose_then_mix_up;
	expect_read(BASE, 64);
	/* Read, status, version twice, status. */
	assert_int_equal(fake.answer_count, 5);
}

static void lose_all(struct fake_stlink *of, unsigned number, uint8_t *answer, size_t *size)
{
	*size = 0;
}

TEST(silent_probe_is_given_up)
{
	open_probe();
	fake.spoil = lose_all;
	assert_int_equal(access_read(stlink, BASE, bytes, 64, &failure), STATUS_FAILED);
	assert_contains(failure.message, "no answer came in time");
	assert_true(*stlink->is_lost);
	assert_in_range(fake.command_count, 1, 10);
	/* Later accesses fail at once. */
	fake.command_count = 0;
	assert_int_equal(access_read(stlink, BASE, bytes, 64, &failure), STATUS_FAILED);
	assert_contains(failure.message, "no longer answers");
	assert_int_equal(fake.command_count, 0);
}

static void shorten_all_but_versions(struct fake_stlink *of, unsigned number, uint8_t *answer, size_t *size)
{
	if (of->firmware.status_commands > 0 && *size != 6)
		*size -= 1;
}

TEST(probe_that_answers_wrongly_is_given_up)
{
	open_probe();
	fake.spoil = shorten_all_but_versions;
	assert_int_equal(access_read(stlink, BASE, bytes, 64, &failure), STATUS_FAILED);
	assert_contains(failure.message, "the probe's answers do not match the commands");
	assert_in_range(fake.command_count, 1, 40);
}

TEST(unplugged_probe_ends_everything)
{
	open_probe();
	fake.unplugged_at = 3;
	assert_int_equal(access_read(stlink, BASE, bytes, 20000, &failure), STATUS_FAILED);
	assert_contains(failure.message, "unplugged");
	assert_int_equal(fake.command_count, 2);
	access_close(stlink);
	stlink = NULL;
	assert_int_equal(fake.command_count, 2);
	assert_true(fake.is_closed);
}

/* --- Statuses. *context is the status that the probe states after each access to memory. */

static void state(struct fake_stlink *of, unsigned number, uint8_t *answer, size_t *size)
{
	if (*size == 12) {
		answer[0] = (uint8_t) * (const unsigned *)of->context;
		answer[4] = 0x20;
		answer[5] = answer[6] = 0;
		answer[7] = 0x20;
	}
}

static void expect_failed_read(unsigned status, const char *part)
{
	set_up(NULL);
	open_probe();
	fake.spoil = state;
	fake.context = &status;
	assert_int_equal(access_read(stlink, BASE, bytes, 256, &failure), STATUS_FAILED);
	assert_contains(failure.message, part);
}

TEST(status_of_a_failed_access_is_explained)
{
	expect_failed_read(0x10, "the target's bus stays busy");
	expect_failed_read(0x11, "the target's bus answers with an error");
	expect_failed_read(0x12, "the target does not answer");
	expect_failed_read(0x13, "the target's answers are damaged");
	expect_failed_read(0x18, "data arrive damaged at the target");
	expect_failed_read(0x55, "the probe reports error 0x55");
}

/* The probe states 0x20000020, but the failing command gets shorter, and reads at 0x20000000. */
TEST(stated_address_of_a_fault_counts_only_within_the_access)
{
	expect_failed_read(0x11, "cannot read memory at 0x20000000 by access port 0");
	fake.spoil = NULL;
	set_up(NULL);
	open_probe();
	assert_int_equal(access_read(stlink, BASE + FAKE_STLINK_SIZE - 64, bytes, 128, &failure), STATUS_FAILED);
	assert_contains(failure.message, "cannot read memory at 0x20200000");
}

TEST(absent_register_is_tried_once)
{
	uint32_t word;

	open_probe();
	assert_int_equal(access_probe(stlink, 0x60000000, &word, &failure), STATUS_FAILED);
	assert_contains(failure.message, "the target's bus answers with an error");
	assert_false(*stlink->is_lost);
	/* The second command clears the error. */
	assert_int_equal(fake.command_count, 2);
	assert_int_equal(access_traffic(stlink).repeats, 0);
	expect_read(BASE, 64);
}

/* The command that clears the error. */
static void lose_from_the_second_on(struct fake_stlink *of, unsigned number, uint8_t *answer, size_t *size)
{
	if (number >= 2)
		*size = 0;
}

TEST(probe_that_falls_silent_after_a_fault_is_lost)
{
	uint32_t word;

	open_probe();
	fake.spoil = lose_from_the_second_on;
	assert_int_equal(access_probe(stlink, 0x60000000, &word, &failure), STATUS_FAILED);
	assert_true(*stlink->is_lost);
}

TEST(errors_of_the_target_are_survived)
{
	static const char *const faults[] = {"wait=7", "fault=300", "parity=500", "silent=700", "reset=300"};

	for (unsigned release = 15; release <= 37; release += 11)
		for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++) {
			tear_down(NULL);
			fake_stlink_init(&fake, 2, release, (const char *const[]){faults[i], NULL});
			fake.firmware.wait_retries = 2;
			setup.speed = 1800000;
			setup.timeout = 2000;
			open_probe();
			expect_read(BASE + 5, 20000);
			assert_true(access_traffic(stlink).repeats > 0);
		}
}

/* --- Opening */

TEST(unsupported_versions_are_refused)
{
	fake_stlink_init(&fake, 1, 13, NULL);
	expect_refusal("an ST-Link of version 1 is not supported");
	fake_stlink_init(&fake, 2, 14, NULL);
	expect_refusal("V2J14 is too old: update it with STM32CubeProgrammer");
	fake_stlink_init(&fake, 2, 0, NULL);
	expect_refusal("its firmware is for STM8 only");
}

TEST(every_release_of_the_firmware_is_asked_for_what_it_knows)
{
	static const unsigned releases[][2] = {{2, 15}, {2, 22}, {2, 24}, {2, 28}, {2, 32},
	                                       {3, 1},  {3, 2},  {3, 7},  {4, 1}};

	setup.speed = 1800000;
	for (size_t i = 0; i < sizeof releases / sizeof releases[0]; i++) {
		tear_down(NULL);
		fake_stlink_init(&fake, releases[i][0], releases[i][1], NULL);
		open_probe();
		expect_read(BASE + 1, 10000);
		expect_clean();
	}
}

TEST(next_lower_clock_is_chosen)
{
	static const struct {
		unsigned kind;
		uint32_t wanted, chosen;
	} cases[] = {{2, 4000000, 4000000},    {2, 3999999, 1800000},  {2, 5000, 5000}, {2, 0, 950000},
	             {3, 100000000, 24000000}, {3, 23999000, 8000000}, {3, 5000, 5000}, {3, 0, 1000000}};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		tear_down(NULL);
		fake_stlink_init(&fake, cases[i].kind, cases[i].kind == 2 ? 37 : 7, NULL);
		setup.speed = cases[i].wanted;
		open_probe();
		assert_int_equal(access_traffic(stlink).speed, cases[i].chosen);
	}
}

TEST(clock_below_all_of_the_probe_is_refused)
{
	setup.speed = 4999;
	expect_refusal("has no clock of 4999 Hz or less");
	fake_stlink_init(&fake, 3, 7, NULL);
	expect_refusal("has no clock of 4999 Hz or less");
}

/* More clocks than fit into the answer, all of them 0 kHz. */
static void lie_about_clocks(struct fake_stlink *of, unsigned number, uint8_t *answer, size_t *size)
{
	if (*size == 52) {
		memset(answer + 8, 0, 44);
		answer[8] = 255;
	}
}

TEST(impossible_list_of_clocks_is_refused)
{
	fake_stlink_init(&fake, 3, 7, NULL);
	fake.spoil = lie_about_clocks;
	expect_refusal("has no clock of 4000000 Hz or less");
}

TEST(probe_in_any_mode_is_accepted)
{
	for (enum stlink_mode mode = STLINK_MASS; mode <= STLINK_SWIM; mode++) {
		tear_down(NULL);
		fake_stlink_init(&fake, 2, 37, NULL);
		fake.firmware.mode = mode;
		open_probe();
		expect_clean();
	}
	tear_down(NULL);
	fake_stlink_init(&fake, 2, 37, NULL);
	fake.firmware.mode = STLINK_BOOTLOADER;
	expect_refusal("waits for new firmware");
}

TEST(dfu_is_left_before_opening)
{
	bool comes_back = true;

	assert_int_equal(stlink_leave_dfu(&fake.exchange, &comes_back, &failure), STATUS_OK);
	assert_false(comes_back);
	assert_int_equal(fake.command_count, 1);
	fake.firmware.mode = STLINK_DFU;
	assert_int_equal(stlink_leave_dfu(&fake.exchange, &comes_back, &failure), STATUS_OK);
	assert_false(comes_back);
	assert_int_equal(fake.firmware.mode, STLINK_MASS);
	fake.firmware.mode = STLINK_DFU;
	fake.unplugged_at = fake.command_count + 3;
	assert_int_equal(stlink_leave_dfu(&fake.exchange, &comes_back, &failure), STATUS_OK);
	assert_true(comes_back);
}

TEST(absent_target_is_reported)
{
	fake_stlink_init(&fake, 2, 37, (const char *const[]){"unplug=1", NULL});
	expect_refusal("the target does not answer; is it powered");
}

/* --- The end */

TEST(closing_leaves_debug_mode)
{
	open_probe();
	access_close(stlink);
	stlink = NULL;
	assert_int_equal(fake.firmware.mode, STLINK_MASS);
	assert_true(fake.is_closed);
}

TEST(closing_leaves_debug_mode_after_failures)
{
	open_probe();
	fake.spoil = lose_all;
	assert_int_equal(access_read(stlink, BASE, bytes, 64, &failure), STATUS_FAILED);
	access_close(stlink);
	stlink = NULL;
	assert_int_equal(fake.firmware.mode, STLINK_MASS);
}

TEST(cancelled_read_fails_and_disconnects)
{
	int ends[2];

	assert_int_equal(pipe(ends), 0);
	open_probe();
	fake.exchange.cancel = ends[0];
	assert_int_equal(write(ends[1], "", 1), 1);
	assert_int_equal(access_read(stlink, BASE, bytes, 64, &failure), STATUS_FAILED);
	assert_contains(failure.message, "interrupted");
	assert_false(*stlink->is_lost);
	stlink->ops->finish(stlink->probe);
	expect_read(BASE, 64);
	access_close(stlink);
	stlink = NULL;
	assert_int_equal(fake.firmware.mode, STLINK_MASS);
	close(ends[0]);
	close(ends[1]);
}

static void count_line(void *context, const char *line)
{
	unsigned *lines = context;

	assert_true(strncmp(line, "F", 1) == 0 && strchr(line, '\n') == NULL && strlen(line) < 150);
	++*lines;
}

TEST(each_command_is_traced)
{
	static unsigned lines;
	static const struct target_observer observer = {.context = &lines, .trace = count_line};

	setup.observer = &observer;
	assert_int_equal(try_open(), STATUS_OK);
	expect_read(BASE, 20000);
	assert_int_equal(lines, fake.command_count);
}
