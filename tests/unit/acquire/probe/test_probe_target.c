/* SPDX-License-Identifier: MIT */
/* Targets with a debug port, over the wires of the model in tests/probe-model/. Only the requested changes are made to
 * the core, and they are undone at the end, also after a failure. */
#include "../dap/bench.h"

#include "acquire/probe/probe_target.h"
#include "test.h"

#include <time.h>
#include <unistd.h>

#define DHCSR     0xE000EDF0u
#define DBGMCU_CR 0xE0042004u

#define C_DEBUGEN 0x00000001u
#define C_HALT    0x00000002u
#define S_HALT    0x00020000u

/* A debugger writes this to DHCSR. */
#define HALTED_BEFORE (0xA05F0000u | C_DEBUGEN | C_HALT)

/* More than opening a target needs. */
#define SHIFTS_MAX 400

static const char *const plain_target[] = {NULL}, *const deaf_target[] = {"deaf=1", NULL};
static struct error left, last_left; /* of the last failure */
static const struct target_setup setup_plain = {.cancel = -1,
                                                .observer = &target_nobody,
                                                .access_port = -1,
                                                .core = -1,
                                                .left = &left,
                                                .speed = 1000000,
                                                .timeout = 200,
                                                .clock = &clock_system};
static uint8_t bytes[BENCH_RAM_SIZE];

/* The setup of a test, and its result. */
static struct target_setup setup;
static struct target *target;
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

static enum status open_bench(struct target *opened, const struct source *source, const struct target_setup *with,
                              struct error *why)
{
	(void)source;
	return probe_target_open(opened, with, bench.dap, why);
}

static const struct target_ops row = {.syntax.scheme = "lab", .open = open_bench, PROBE_TARGET_OPS};

static enum status try_open(const struct target_setup *with)
{
	static const struct source source = {.text = "lab:target", .backend = &row};

	return target_open(&source, with, &target, &failure);
}

static void open_with(const struct target_setup *with)
{
	assert_success(try_open(with), &failure);
}

static void close_target(void)
{
	assert_success(target_close(target, &failure), &failure);
}

static uint32_t word_at(uint32_t address)
{
	uint32_t word;

	assert_success(target_read_register(target, address, &word, 1, &failure), &failure);
	return word;
}

/* The word that a session left, read in another session, which changes nothing. */
static uint32_t word_left(uint32_t address)
{
	bench_open_again();
	open_with(&setup_plain);
	uint32_t word = word_at(address);
	close_target();
	return word;
}

static void set_word(uint32_t address, uint32_t word)
{
	open_with(&setup_plain);
	assert_success(target_write_register(target, address, word, &failure), &failure);
	close_target();
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
	assert_success(target_read(target, BENCH_RAM + 3, bytes, 40000, &failure), &failure);
	assert_memory_equal(bytes, bench.memory + 3, 40000);
}

EACH_TEST(begin, end);

TEST_WITH(core_is_halted_until_closing_except_during_a_run, NULL, NULL)
{
	static const struct {
		bool found_halted; /* by a debugger */
		bool was_left_halted, reset;
		bool runs;              /* target_run() succeeds */
		unsigned halts, resets; /* counted */
		uint32_t dhcsr;         /* after closing */
	} cases[] = {
	        {.runs = true, .halts = 2},
	        {.found_halted = true, .halts = 1, .dhcsr = C_DEBUGEN | C_HALT | S_HALT},
	        {.found_halted = true, .was_left_halted = true, .runs = true, .halts = 2},
	        {.reset = true, .runs = true, .halts = 2, .resets = 1},
	        /* A core that a debugger halted runs after its reset, and is halted like any other. */
	        {.found_halted = true, .reset = true, .runs = true, .halts = 3, .resets = 1, .dhcsr = C_DEBUGEN},
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		begin(state);
		if (cases[i].found_halted)
			set_word(DHCSR, HALTED_BEFORE);
		setup.halt = true;
		setup.speed = 4000000;
		setup.was_left_halted = cases[i].was_left_halted;
		setup.reset_target = cases[i].reset;
		open_with(&setup);
		assert_int_equal(bench.speed, 4000000);
		assert_false(bench.is_reset_low);
		assert_true(word_at(DHCSR) & S_HALT);
		read_some();
		enum status status = target_run(target, 1, &failure);
		assert_int_equal(status, cases[i].runs ? STATUS_OK : STATUS_FAILED);
		if (status != STATUS_OK)
			assert_string_equal(
			        failure.message,
			        "lab:target: the core is halted, as a debugger left it: let it run there first");
		assert_true(word_at(DHCSR) & S_HALT);
		close_target();
		expect_core(cases[i].halts, cases[i].resets, cases[i].dhcsr);
		end(state);
	}
}

TEST_WITH(pin_resets_a_core_that_ignores_its_register, begin_deaf, end)
{
	setup.reset_target = true;
	open_with(&setup);
	assert_false(bench.is_reset_low);
	read_some();
	close_target();
	expect_core(0, 1, 0);
}

TEST_WITH(interruption_releases_the_reset_pin, begin_deaf, end)
{
	bench.cancels_in_reset = true;
	setup.reset_target = true;
	assert_int_equal(try_open(&setup), STATUS_FAILED);
	assert_string_equal(failure.message, "lab:target: interrupted");
	assert_false(bench.is_reset_low);
}

/* Opens with every change that can be undone, and closes if that succeeds. Returns whether the fault came before the
 * end of opening; then the message is checked. */
static bool open_and_leave(const char *message)
{
	setup.halt = setup.keep_awake = true;
	enum status status = try_open(&setup);
	bool has_failed = bench.fails_in == 0 && bench.cancels_in == 0 && bench.unplugs_in == 0;
	bench.fails_in = bench.cancels_in = bench.unplugs_in = 0;
	if (status == STATUS_OK)
		close_target();
	else
		assert_contains(failure.message, message);
	return has_failed;
}

/* Opens once for each shift that a fault can follow. *fault_in: the number of shifts until the fault. */
static void fail_after_each_shift(unsigned *fault_in, const char *message)
{
	bool has_failed = true;
	unsigned at = 0;

	while (has_failed && at++ < SHIFTS_MAX) {
		begin_with(plain_target);
		*fault_in = at;
		has_failed = open_and_leave(message);
		if (bench.is_unplugged) {
			last_left = left;
		} else {
			assert_int_equal(word_left(DHCSR) & (C_HALT | S_HALT), 0);
			assert_int_equal(word_left(DBGMCU_CR), 0);
		}
		end(NULL);
	}
	assert_in_range(at, 30, SHIFTS_MAX);
}

TEST_WITH(changes_are_undone_after_a_failure_while_opening, NULL, NULL)
{
	fail_after_each_shift(&bench.fails_in, "");
}

TEST_WITH(changes_are_undone_after_an_interruption_while_opening, NULL, NULL)
{
	fail_after_each_shift(&bench.cancels_in, "interrupted");
}

/* Halting the core is the last step of opening. */
TEST_WITH(unplugging_while_opening_is_reported, NULL, NULL)
{
	fail_after_each_shift(&bench.unplugs_in, "lab:wire: unplugged");
	assert_string_equal(last_left.message, "lab:target: the core may have been left halted: reset it");
}

/* Receives the progress of a read, and may interrupt it. */
static struct listener {
	unsigned calls;
	uint64_t done, total;
	bool interrupts;
} listener;

static void on_progress(void *context, uint64_t done, uint64_t total)
{
	assert_ptr_equal(context, &listener);
	assert_true(done > listener.done && done <= total);
	listener.calls++;
	listener.done = done;
	listener.total = total;
	if (listener.interrupts)
		assert_int_equal(write(ends[1], "", 1), 1);
}

static void add_listener(bool interrupts)
{
	static const struct target_observer observer = {.context = &listener, .progress = on_progress};

	listener = (struct listener){.interrupts = interrupts};
	setup.observer = &observer;
}

TEST(read_reports_progress_and_traffic)
{
	add_listener(false);
	open_with(&setup);
	read_some();
	assert_true(listener.calls > 3);
	assert_int_equal(listener.done, 40000);
	assert_int_equal(listener.total, 40000);
	struct target_traffic traffic = target_traffic(target);
	assert_true(traffic.has_transfers && !traffic.has_frames);
	assert_int_equal(traffic.transfers.bytes, 40000);
	assert_int_equal(traffic.transfers.repeats, 0);
	assert_true(traffic.transfers.lists > 3);
	close_target();
}

TEST(interrupted_read_ends_and_the_core_is_resumed)
{
	add_listener(true);
	setup.halt = true;
	open_with(&setup);
	assert_failure(target_read(target, BENCH_RAM, bytes, BENCH_RAM_SIZE, &failure), &failure, "interrupted");
	assert_int_equal(listener.calls, 1);
	close_target();
	expect_core(1, 0, 0);
}

TEST(unplugged_probe_is_lost_and_its_halt_reported)
{
	time_t start = time(NULL);

	setup.halt = true;
	open_with(&setup);
	bench.is_unplugged = true;
	assert_int_equal(target_read(target, BENCH_RAM, bytes, 16, &failure), STATUS_FAILED);
	assert_true(target->is_lost);
	assert_int_equal(target_close(target, &failure), STATUS_FAILED);
	assert_string_equal(failure.message, "lab:target: the core may have been left halted: reset it");
	assert_true(time(NULL) - start < 10);
}
