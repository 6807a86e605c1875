/* SPDX-License-Identifier: MIT */
/* Target access behind a debug port, over the wires of the model in tests/probe-model/: nothing is done to the core
 * that was not asked for, and what was is undone at the end, wherever that comes. */
#include "../dap/bench.h"

#include "target/backend/dap_target.h"
#include "test.h"

#include <string.h>
#include <time.h>
#include <unistd.h>

#define DHCSR     0xE000EDF0u
#define DBGMCU_CR 0xE0042004u

#define C_DEBUGEN 0x00000001u
#define C_HALT    0x00000002u
#define S_HALT    0x00020000u

/* DHCSR, as a debugger writes it. */
#define HALTED_BEFORE (0xA05F0000u | C_DEBUGEN | C_HALT)

/* More than any opening makes. */
#define SHIFTS_MAX 400

static const char *const plain_target[] = {NULL}, *const deaf_target[] = {"deaf=1", NULL};
static struct error left;
static const struct target_setup setup_plain = {.cancel = -1, .access_port = -1, .core = -1, .left = &left};
static uint8_t bytes[BENCH_RAM_SIZE];

/* What a test opens with, and what came of that. */
static struct target_setup setup;
static struct target *target;
static struct error error;
static int ends[2]; /* of the pipe that cancels */

static void begin_with(const char *const *options)
{
	bench_open(options);
	assert_int_equal(pipe(ends), 0);
	bench.cancel = ends[1];
	setup = setup_plain;
	setup.cancel = ends[0];
	left.message[0] = 0;
}

static int begin(void **state)
{
	begin_with(plain_target);
	return 0;
}

static int begin_deaf(void **state)
{
	begin_with(deaf_target);
	return 0;
}

static int end(void **state)
{
	close(ends[0]);
	close(ends[1]);
	bench_close();
	return 0;
}

static enum status open_bench(const struct source *source, const struct target_setup *with, struct target **opened,
                              struct error *why)
{
	return dap_target_open(source, with, 200, bench.dap, opened, why);
}

static const struct target_ops row = {.scheme = "lab", .open = open_bench, DAP_TARGET_OPS};

static enum status try_open(const struct target_setup *with)
{
	static const struct source source = {.text = "lab:target", .backend = &row};

	return target_open(&source, with, &target, &error);
}

static void open_with(const struct target_setup *with)
{
	if (try_open(with) != STATUS_OK)
		fail_msg("%s", error.message);
}

static void close_well(void)
{
	if (target_close(target, &error) != STATUS_OK)
		fail_msg("%s", error.message);
}

static uint32_t word_at(uint32_t address)
{
	uint32_t word;

	assert_int_equal(target_read_register(target, address, &word, 1, &error), STATUS_OK);
	return word;
}

/* By another visit, which leaves it as it is. */
static uint32_t word_left(uint32_t address)
{
	bench_open_again();
	open_with(&setup_plain);
	uint32_t word = word_at(address);
	close_well();
	return word;
}

static void set_word(uint32_t address, uint32_t word)
{
	open_with(&setup_plain);
	assert_int_equal(target_write_register(target, address, word, &error), STATUS_OK);
	close_well();
	bench_open_again();
}

static void expect_core(unsigned halts, unsigned resets, uint32_t dhcsr)
{
	assert_int_equal(swd_counts(bench.target)->halts, halts);
	assert_int_equal(swd_counts(bench.target)->resets, resets);
	assert_int_equal(word_left(DHCSR) & (C_DEBUGEN | C_HALT | S_HALT), dhcsr);
}

static void read_some(void)
{
	if (target_read(target, BENCH_RAM + 3, bytes, 40000, &error) != STATUS_OK)
		fail_msg("%s", error.message);
	assert_memory_equal(bytes, bench.memory + 3, 40000);
}

EACH_TEST(begin, end);

TEST(core_stands_still_but_for_a_run)
{
	setup.halt = true;
	setup.speed = 4000000;
	open_with(&setup);
	assert_int_equal(bench.speed, 4000000);
	assert_true(word_at(DHCSR) & S_HALT);
	read_some();
	assert_int_equal(target_run(target, 1, &error), STATUS_OK);
	assert_int_equal(swd_counts(bench.target)->halts, 2);
	assert_true(word_at(DHCSR) & S_HALT);
	close_well();
	expect_core(2, 0, 0);
}

TEST(core_that_was_found_halted_stays_so)
{
	set_word(DHCSR, HALTED_BEFORE);
	setup.halt = true;
	open_with(&setup);
	read_some();
	assert_int_equal(target_run(target, 1, &error), STATUS_FAILED);
	assert_string_equal(error.message,
	                    "lab:target: the core is halted, as a debugger left it: let it run there first");
	close_well();
	expect_core(1, 0, C_DEBUGEN | C_HALT | S_HALT);
}

TEST(core_that_a_lost_access_left_halted_runs_again)
{
	set_word(DHCSR, HALTED_BEFORE);
	setup.halt = setup.was_left_halted = true;
	open_with(&setup);
	assert_true(word_at(DHCSR) & S_HALT);
	assert_int_equal(target_run(target, 1, &error), STATUS_OK);
	close_well();
	expect_core(2, 0, 0);
}

TEST(target_is_reset_and_halted_then)
{
	setup.reset_target = setup.halt = true;
	open_with(&setup);
	close_well();
	expect_core(1, 1, 0);
	assert_false(bench.is_reset_low);
}

/* What a debugger had halted runs behind its reset, so that it is halted as any other. */
TEST(reset_ends_the_halt_of_before)
{
	set_word(DHCSR, HALTED_BEFORE);
	setup.reset_target = setup.halt = true;
	open_with(&setup);
	assert_true(word_at(DHCSR) & S_HALT);
	close_well();
	expect_core(2, 1, C_DEBUGEN);
}

TEST_WITH(pin_resets_what_does_not_do_it_itself, begin_deaf, end)
{
	setup.reset_target = true;
	open_with(&setup);
	assert_false(bench.is_reset_low);
	read_some();
	close_well();
	expect_core(0, 1, 0);
}

TEST_WITH(pin_is_let_go_of_by_who_is_interrupted, begin_deaf, end)
{
	bench.cancels_in_reset = true;
	setup.reset_target = true;
	assert_int_equal(try_open(&setup), STATUS_FAILED);
	assert_string_equal(error.message, "lab:target: interrupted");
	assert_false(bench.is_reset_low);
}

/* Opens with all that can be undone, and takes leave if that went well; whether what goes wrong came before that, and
 * was told as what it is. */
static bool open_and_leave(const char *told)
{
	setup.halt = setup.keep_awake = true;
	enum status status = try_open(&setup);
	bool has_struck = bench.fails_in == 0 && bench.cancels_in == 0 && bench.unplugs_in == 0;
	bench.fails_in = bench.cancels_in = bench.unplugs_in = 0;
	if (status == STATUS_OK)
		close_well();
	else if (strstr(error.message, told) == NULL)
		fail_msg("%s", error.message);
	return has_struck;
}

/* *strikes_in says after how many shifts it goes wrong: one more each time, until the opening is over before. */
static void strike_at_each_shift(unsigned *strikes_in, const char *told)
{
	bool has_struck = true;
	unsigned at = 0;

	while (has_struck && at++ < SHIFTS_MAX) {
		begin_with(plain_target);
		*strikes_in = at;
		has_struck = open_and_leave(told);
		if (!bench.is_unplugged) {
			assert_int_equal(word_left(DHCSR) & (C_HALT | S_HALT), 0);
			assert_int_equal(word_left(DBGMCU_CR), 0);
		}
		end(NULL);
	}
	assert_in_range(at, 30, SHIFTS_MAX);
}

TEST_WITH(what_fails_while_opening_is_undone, NULL, NULL)
{
	strike_at_each_shift(&bench.fails_in, "");
}

TEST_WITH(who_is_interrupted_while_opening_takes_leave, NULL, NULL)
{
	strike_at_each_shift(&bench.cancels_in, "interrupted");
}

TEST_WITH(unplugging_while_opening_is_told_as_that, NULL, NULL)
{
	strike_at_each_shift(&bench.unplugs_in, "lab:wire: unplugged");
}

/* The last that an opening does is to halt the core. */
TEST_WITH(core_that_an_opening_left_halted_is_told_apart, NULL, NULL)
{
	bool has_struck = true;
	struct error told = {.message = ""};

	for (unsigned at = 1; has_struck && at < SHIFTS_MAX; at++) {
		begin_with(plain_target);
		bench.unplugs_in = at;
		has_struck = open_and_leave("unplugged");
		if (bench.is_unplugged)
			told = left;
		end(NULL);
	}
	assert_string_equal(told.message, "lab:target: the core may have been left halted: reset it");
}

/* Who is told how far a read is, and may have enough. */
static struct listener {
	unsigned calls;
	uint64_t done, total;
	bool has_enough;
} listener;

static void hear_progress(void *context, uint64_t done, uint64_t total)
{
	assert_ptr_equal(context, &listener);
	assert_true(done > listener.done && done <= total);
	listener.calls++;
	listener.done = done;
	listener.total = total;
	if (listener.has_enough)
		assert_int_equal(write(ends[1], "", 1), 1);
}

static void add_listener(bool has_enough)
{
	static const struct client_observer observer = {.context = &listener, .progress = hear_progress};

	listener = (struct listener){.has_enough = has_enough};
	setup.observer = &observer;
}

TEST(progress_is_told_of)
{
	add_listener(false);
	open_with(&setup);
	read_some();
	assert_int_equal(listener.calls, 3);
	assert_int_equal(listener.done, 40000);
	assert_int_equal(listener.total, 40000);
	struct target_traffic traffic = target_traffic(target);
	assert_true(traffic.has_transfers && !traffic.has_frames);
	assert_int_equal(traffic.transfers.bytes, 40000);
	assert_int_equal(traffic.transfers.repeats, 0);
	assert_true(traffic.transfers.lists > 3);
	close_well();
}

TEST(interrupted_read_ends_and_leave_is_taken)
{
	add_listener(true);
	setup.halt = true;
	open_with(&setup);
	assert_int_equal(target_read(target, BENCH_RAM, bytes, BENCH_RAM_SIZE, &error), STATUS_FAILED);
	assert_non_null(strstr(error.message, "interrupted"));
	assert_int_equal(listener.calls, 1);
	close_well();
	expect_core(1, 0, 0);
}

TEST(unplugged_probe_is_lost_and_its_halt_told)
{
	time_t start = time(NULL);

	setup.halt = true;
	open_with(&setup);
	bench.is_unplugged = true;
	assert_int_equal(target_read(target, BENCH_RAM, bytes, 16, &error), STATUS_FAILED);
	assert_true(target->is_lost);
	assert_int_equal(target_close(target, &error), STATUS_FAILED);
	assert_string_equal(error.message, "lab:target: the core may have been left halted: reset it");
	assert_true(time(NULL) - start < 10);
}
