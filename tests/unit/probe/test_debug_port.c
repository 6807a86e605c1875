/* SPDX-License-Identifier: MIT */
/* Target access behind a debug port, over the wires of the model in tests/lab/: nothing is done to the core that was
 * not asked for, and what was is undone at the end, wherever that comes. */
#include "../dap/bench.h"

#include "probe/debug_port.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#define DHCSR     0xE000EDF0u
#define DBGMCU_CR 0xE0042004u

#define C_DEBUGEN 0x00000001u
#define C_HALT    0x00000002u
#define S_HALT    0x00020000u

/* More than any opening makes. */
#define SHIFTS_MAX 400

static const struct access_ops row = {.scheme = "lab", DEBUG_PORT_OPS};
static const struct client_observer nobody;
static const char *const plain_target[] = {NULL};
static uint8_t bytes[BENCH_RAM_SIZE];

static struct access_setup setup_plain(void)
{
	struct access_setup setup = ACCESS_SETUP_PLAIN;

	setup.observer = &nobody;
	return setup;
}

static enum status try_open(const struct access_setup *setup, struct access **access, struct error *error)
{
	return debug_port_open(&row, "lab:target", setup, 200, bench.dap, access, error);
}

static struct access *open_with(const struct access_setup *setup)
{
	struct error error = {""};
	struct access *access;

	if (try_open(setup, &access, &error))
		fail_msg("%s", error.message);
	return access;
}

static void close_well(struct access *access)
{
	struct error error = {""};

	if (access_close(access, &error))
		fail_msg("%s", error.message);
}

static uint32_t word_at(struct access *access, uint32_t address)
{
	struct error error;
	uint32_t word;

	assert_int_equal(access_read_repeatedly(access, address, &word, 1, &error), STATUS_OK);
	return word;
}

/* By another visit, which leaves it as it is. */
static uint32_t word_left(uint32_t address)
{
	struct access_setup setup = setup_plain();

	bench_open_again();
	struct access *access = open_with(&setup);
	uint32_t word = word_at(access, address);
	close_well(access);
	return word;
}

static void set_word(uint32_t address, uint32_t word)
{
	struct access_setup setup = setup_plain();
	struct error error;
	uint8_t little[] = {(uint8_t)word, (uint8_t)(word >> 8), (uint8_t)(word >> 16), (uint8_t)(word >> 24)};
	struct access *access = open_with(&setup);

	assert_int_equal(access_write(access, address, little, 4, &error), STATUS_OK);
	close_well(access);
	bench_open_again();
}

static void expect_core(unsigned halts, unsigned resets, uint32_t dhcsr)
{
	assert_int_equal(swd_counts(bench.target)->halts, halts);
	assert_int_equal(swd_counts(bench.target)->resets, resets);
	assert_int_equal(word_left(DHCSR) & (C_DEBUGEN | C_HALT | S_HALT), dhcsr);
}

static void read_some(struct access *access)
{
	struct error error = {""};

	if (access_read(access, BENCH_RAM + 3, bytes, 40000, &error))
		fail_msg("%s", error.message);
	assert_memory_equal(bytes, bench.memory + 3, 40000);
}

static void nothing_is_done_that_was_not_asked_for(void **state)
{
	(void)state;
	struct access_setup setup = setup_plain();
	struct error error;
	bench_open(plain_target);
	struct access *access = open_with(&setup);
	assert_int_equal(bench.speed, 1000000);
	read_some(access);
	assert_int_equal(access_run(access, 1, &error), STATUS_OK);
	close_well(access);
	expect_core(0, 0, 0);
	bench_close();
}

static void core_stands_still_but_for_a_run(void **state)
{
	(void)state;
	struct access_setup setup = setup_plain();
	struct error error;
	setup.halt = true;
	setup.speed = 4000000;
	bench_open(plain_target);
	struct access *access = open_with(&setup);
	assert_int_equal(bench.speed, 4000000);
	assert_true(word_at(access, DHCSR) & S_HALT);
	read_some(access);
	assert_int_equal(access_run(access, 1, &error), STATUS_OK);
	assert_int_equal(swd_counts(bench.target)->halts, 2);
	assert_true(word_at(access, DHCSR) & S_HALT);
	close_well(access);
	expect_core(2, 0, 0);
	bench_close();
}

static void core_that_was_found_halted_stays_so(void **state)
{
	(void)state;
	struct access_setup setup = setup_plain();
	struct error error;
	bench_open(plain_target);
	set_word(DHCSR, 0xA05F0000 | C_DEBUGEN | C_HALT);
	setup.halt = true;
	struct access *access = open_with(&setup);
	read_some(access);
	assert_int_equal(access_run(access, 1, &error), STATUS_FAILED);
	assert_string_equal(error.message,
	                    "lab:target: the core stands still, as a debugger left it: let it run there first");
	close_well(access);
	expect_core(1, 0, C_DEBUGEN | C_HALT | S_HALT);
	bench_close();
}

static void core_that_a_lost_access_left_halted_runs_again(void **state)
{
	(void)state;
	struct access_setup setup = setup_plain();
	struct error error;
	bench_open(plain_target);
	set_word(DHCSR, 0xA05F0000 | C_DEBUGEN | C_HALT);
	setup.halt = setup.was_left_halted = true;
	struct access *access = open_with(&setup);
	assert_true(word_at(access, DHCSR) & S_HALT);
	assert_int_equal(access_run(access, 1, &error), STATUS_OK);
	close_well(access);
	expect_core(2, 0, 0);
	bench_close();
}

static void target_is_reset_and_may_be_halted_then(void **state)
{
	(void)state;
	struct access_setup setup = setup_plain();
	setup.reset_target = true;
	for (unsigned halt = 0; halt < 2; halt++) {
		setup.halt = halt;
		bench_open(plain_target);
		close_well(open_with(&setup));
		expect_core(halt, 1, 0);
		assert_false(bench.is_reset_low);
		bench_close();
	}
}

/* What a debugger had halted runs behind its reset, so that it is halted as any other. */
static void reset_ends_the_halt_of_before(void **state)
{
	(void)state;
	struct access_setup setup = setup_plain();
	setup.reset_target = setup.halt = true;
	bench_open(plain_target);
	set_word(DHCSR, 0xA05F0000 | C_DEBUGEN | C_HALT);
	struct access *access = open_with(&setup);
	assert_true(word_at(access, DHCSR) & S_HALT);
	close_well(access);
	expect_core(2, 1, C_DEBUGEN);
	bench_close();
}

static void pin_resets_what_does_not_do_it_itself(void **state)
{
	(void)state;
	const char *const deaf[] = {"deaf=1", NULL};
	struct access_setup setup = setup_plain();
	setup.reset_target = true;
	bench_open(deaf);
	struct access *access = open_with(&setup);
	assert_false(bench.is_reset_low);
	read_some(access);
	close_well(access);
	expect_core(0, 1, 0);
	bench_close();
}

static void open_cancel(int ends[2])
{
	assert_int_equal(pipe(ends), 0);
	bench.cancel = ends[1];
}

static void close_cancel(const int ends[2])
{
	close(ends[0]);
	close(ends[1]);
}

static void pin_is_let_go_of_by_who_is_interrupted(void **state)
{
	(void)state;
	const char *const deaf[] = {"deaf=1", NULL};
	struct access_setup setup = setup_plain();
	struct access *access;
	struct error error;
	int ends[2];
	bench_open(deaf);
	open_cancel(ends);
	bench.cancels_in_reset = true;
	setup.reset_target = true;
	setup.cancel = ends[0];
	assert_int_equal(try_open(&setup, &access, &error), STATUS_FAILED);
	assert_string_equal(error.message, "lab:target: interrupted");
	assert_false(bench.is_reset_low);
	close_cancel(ends);
	bench_close();
}

static void chip_is_kept_awake_until_the_end(void **state)
{
	(void)state;
	struct access_setup setup = setup_plain();
	setup.keep_awake = true;
	bench_open(plain_target);
	set_word(DBGMCU_CR, 0x20);
	struct access *access = open_with(&setup);
	assert_int_equal(word_at(access, DBGMCU_CR), 0x27);
	close_well(access);
	assert_int_equal(word_left(DBGMCU_CR), 0x20);
	expect_core(0, 0, 0);
	bench_close();
}

/* Opens with all that can be undone, and takes leave if that went well; whether what goes wrong came before that, and
 * was told as what it is. */
static bool open_and_leave(const struct access_setup *plain, const char *told)
{
	struct access_setup setup = *plain;
	struct access *access;
	struct error error;

	setup.halt = setup.keep_awake = true;
	enum status status = try_open(&setup, &access, &error);
	bool has_struck = bench.fails_in == 0 && bench.cancels_in == 0 && bench.unplugs_in == 0;
	bench.fails_in = bench.cancels_in = bench.unplugs_in = 0;
	if (!status)
		close_well(access);
	else if (!strstr(error.message, told))
		fail_msg("%s", error.message);
	return has_struck;
}

static void what_fails_while_opening_is_undone(void **state)
{
	(void)state;
	const struct access_setup setup = setup_plain();
	bool has_struck = true;
	unsigned at = 0;
	while (has_struck && at++ < SHIFTS_MAX) {
		bench_open(plain_target);
		bench.fails_in = at;
		has_struck = open_and_leave(&setup, "");
		assert_int_equal(word_left(DHCSR) & (C_HALT | S_HALT), 0);
		assert_int_equal(word_left(DBGMCU_CR), 0);
		bench_close();
	}
	assert_in_range(at, 30, SHIFTS_MAX);
}

static void who_is_interrupted_while_opening_takes_leave(void **state)
{
	(void)state;
	struct access_setup setup = setup_plain();
	bool has_struck = true;
	unsigned at = 0;
	while (has_struck && at++ < SHIFTS_MAX) {
		int ends[2];
		bench_open(plain_target);
		open_cancel(ends);
		bench.cancels_in = at;
		setup.cancel = ends[0];
		has_struck = open_and_leave(&setup, "interrupted");
		assert_int_equal(word_left(DHCSR) & (C_HALT | S_HALT), 0);
		assert_int_equal(word_left(DBGMCU_CR), 0);
		close_cancel(ends);
		bench_close();
	}
	assert_in_range(at, 30, SHIFTS_MAX);
}

static void unplugging_while_opening_is_told_as_that(void **state)
{
	(void)state;
	const struct access_setup setup = setup_plain();
	bool has_struck = true;
	unsigned at = 0;
	while (has_struck && at++ < SHIFTS_MAX) {
		bench_open(plain_target);
		bench.unplugs_in = at;
		has_struck = open_and_leave(&setup, "lab:wire: unplugged");
		bench_close();
	}
	assert_in_range(at, 30, SHIFTS_MAX);
}

/* Who is told how far a read is, and may have enough. */
struct listener {
	unsigned calls;
	uint64_t done, total;
	int cancel; /* -1 = it goes on */
};

static void hear_progress(void *context, uint64_t done, uint64_t total)
{
	struct listener *listener = context;

	assert_true(done > listener->done && done <= total);
	listener->calls++;
	listener->done = done;
	listener->total = total;
	if (listener->cancel >= 0)
		assert_int_equal(write(listener->cancel, "", 1), 1);
}

static void progress_is_told_of(void **state)
{
	(void)state;
	struct listener listener = {.cancel = -1};
	const struct client_observer observer = {.context = &listener, .progress = hear_progress};
	struct access_setup setup = setup_plain();
	setup.observer = &observer;
	bench_open(plain_target);
	struct access *access = open_with(&setup);
	read_some(access);
	assert_int_equal(listener.calls, 3);
	assert_int_equal(listener.done, 40000);
	assert_int_equal(listener.total, 40000);
	struct access_traffic traffic = access_traffic(access);
	assert_true(traffic.has_transfers && !traffic.has_frames);
	assert_int_equal(traffic.transfers.bytes, 40000);
	assert_int_equal(traffic.transfers.repeats, 0);
	assert_true(traffic.transfers.lists > 3);
	close_well(access);
	bench_close();
}

static unsigned progress_calls(uint32_t speed)
{
	struct listener listener = {.cancel = -1};
	const struct client_observer observer = {.context = &listener, .progress = hear_progress};
	struct access_setup setup = setup_plain();

	setup.observer = &observer;
	setup.speed = speed;
	bench_open(plain_target);
	struct access *access = open_with(&setup);
	read_some(access);
	close_well(access);
	bench_close();
	return listener.calls;
}

/* Of a slow clock as often in a second as of a fast one: 40,000 bytes take 18.8 s at 25 kHz and 2.35 s at 200 kHz. */
static void progress_is_told_of_about_four_times_a_second(void **state)
{
	(void)state;
	assert_int_equal(progress_calls(25000), 40);
	assert_int_equal(progress_calls(200000), 10);
	assert_int_equal(progress_calls(4000000), 3);
}

static void interrupted_read_ends_and_leave_is_taken(void **state)
{
	(void)state;
	struct listener listener = {0};
	const struct client_observer observer = {.context = &listener, .progress = hear_progress};
	struct access_setup setup = setup_plain();
	struct error error;
	int ends[2];
	bench_open(plain_target);
	open_cancel(ends);
	listener.cancel = ends[1];
	setup.observer = &observer;
	setup.cancel = ends[0];
	setup.halt = true;
	struct access *access = open_with(&setup);
	assert_int_equal(access_read(access, BENCH_RAM, bytes, BENCH_RAM_SIZE, &error), STATUS_FAILED);
	assert_non_null(strstr(error.message, "interrupted"));
	assert_int_equal(listener.calls, 1);
	close_well(access);
	expect_core(1, 0, 0);
	close_cancel(ends);
	bench_close();
}

static void lists_that_were_made_again_are_counted(void **state)
{
	(void)state;
	const char *const bad[] = {"parity=500", NULL};
	struct access_setup setup = setup_plain();
	bench_open(bad);
	struct access *access = open_with(&setup);
	read_some(access);
	assert_true(access_traffic(access).transfers.repeats > 0);
	close_well(access);
	bench_close();
}

static void unplugged_probe_is_lost_and_its_halt_told(void **state)
{
	(void)state;
	struct access_setup setup = setup_plain();
	struct error error;
	time_t start = time(NULL);
	setup.halt = true;
	bench_open(plain_target);
	struct access *access = open_with(&setup);
	bench.is_unplugged = true;
	assert_int_equal(access_read(access, BENCH_RAM, bytes, 16, &error), STATUS_FAILED);
	assert_true(access->is_lost);
	assert_int_equal(access_close(access, &error), STATUS_FAILED);
	assert_string_equal(error.message, "lab:target: the core may have been left halted: reset it");
	assert_true(time(NULL) - start < 10);
	bench_close();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(nothing_is_done_that_was_not_asked_for),
	        cmocka_unit_test(core_stands_still_but_for_a_run),
	        cmocka_unit_test(core_that_was_found_halted_stays_so),
	        cmocka_unit_test(core_that_a_lost_access_left_halted_runs_again),
	        cmocka_unit_test(target_is_reset_and_may_be_halted_then),
	        cmocka_unit_test(reset_ends_the_halt_of_before),
	        cmocka_unit_test(pin_resets_what_does_not_do_it_itself),
	        cmocka_unit_test(pin_is_let_go_of_by_who_is_interrupted),
	        cmocka_unit_test(chip_is_kept_awake_until_the_end),
	        cmocka_unit_test(what_fails_while_opening_is_undone),
	        cmocka_unit_test(who_is_interrupted_while_opening_takes_leave),
	        cmocka_unit_test(unplugging_while_opening_is_told_as_that),
	        cmocka_unit_test(progress_is_told_of),
	        cmocka_unit_test(progress_is_told_of_about_four_times_a_second),
	        cmocka_unit_test(interrupted_read_ends_and_leave_is_taken),
	        cmocka_unit_test(lists_that_were_made_again_are_counted),
	        cmocka_unit_test(unplugged_probe_is_lost_and_its_halt_told),
	};
	return cmocka_run_group_tests_name("probe/debug_port", tests, NULL, NULL);
}
