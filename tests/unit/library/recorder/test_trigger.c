/* SPDX-License-Identifier: MIT */
/* The profile is armed, starts by itself at a call, and stops by itself after a window of ticks. */
#include "arena.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#define FUNCTION ((uintptr_t)0x2000)
#define SIZE     0x40u
#define CALLER   ((uintptr_t)0x1000)

static uint32_t sequence;

static void request(uint32_t command, uint32_t argument)
{
	arena_set_word(BAREPROF_OFFSET_CONTROL_ARGUMENT, argument);
	arena_set_word(BAREPROF_OFFSET_CONTROL_REQUEST, BAREPROF_REQUEST(++sequence, command));
	bareprof_sample(0);
	assert_int_equal(arena_word(BAREPROF_OFFSET_CONTROL_ACKNOWLEDGE), BAREPROF_REQUEST(sequence, command));
}

static void arm_by_the_application(uint32_t ticks)
{
	bareprof_arm((const void *)FUNCTION, SIZE, ticks);
}

static void arm_by_the_host(uint32_t ticks)
{
	request(BAREPROF_COMMAND_TRIGGER_START, FUNCTION);
	request(BAREPROF_COMMAND_TRIGGER_END, FUNCTION + SIZE);
	request(BAREPROF_COMMAND_ARM, ticks);
}

static void (*const arms[])(uint32_t ticks) = {arm_by_the_application, arm_by_the_host};
#define ARMS (sizeof arms / sizeof *arms)

static void begin(void)
{
	sequence = 0;
	arena_begin(64, 256);
	bareprof_init();
}

static void tick(unsigned times)
{
	while (times-- > 0)
		bareprof_sample((uintptr_t)bareprof_text_start);
}

static void assert_ticks(uint32_t ticks)
{
	assert_int_equal(arena_word(BAREPROF_OFFSET_TICKS), ticks);
	assert_int_equal(arena_bins_sum(), ticks);
}

static void an_armed_profile_records_nothing_before_its_trigger(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARMS; i++) {
		begin();
		arms[i](0);
		arena_remember();
		bareprof_arc(CALLER, FUNCTION - 1);
		bareprof_arc(CALLER, FUNCTION + SIZE);
		bareprof_arc(FUNCTION, CALLER);
		bareprof_arc(CALLER, 0);
		tick(3);
		assert_true(arena_is_as_remembered());
		assert_int_equal(arena_state(), BAREPROF_STATE_ARMED);
	}
}

/* With every address in the function: the hook of -pg is some bytes after the start, and Thumb's addresses are odd. */
static void the_call_that_fires_is_the_first_one_recorded(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARMS; i++) {
		for (uint32_t offset = 0; offset < SIZE; offset++) {
			begin();
			arms[i](0);
			bareprof_arc(CALLER, FUNCTION + offset);
			assert_int_equal(arena_state(), BAREPROF_STATE_RUNNING);
			bareprof_arc(CALLER, 0x5000);
			assert_int_equal(arena_arc_calls(CALLER, FUNCTION + offset), 1);
			assert_int_equal(arena_calls(), 2);
			tick(1);
			assert_ticks(1);
		}
	}
}

static void an_odd_address_is_that_of_the_function_before_it(void **state)
{
	(void)state;
	begin();
	bareprof_arm((const void *)(FUNCTION | 1), SIZE, 0);
	bareprof_arc(CALLER, FUNCTION);
	assert_int_equal(arena_state(), BAREPROF_STATE_RUNNING);
}

static void a_function_of_size_0_never_fires(void **state)
{
	(void)state;
	begin();
	bareprof_arm((const void *)FUNCTION, 0, 0);
	for (uintptr_t callee = FUNCTION - 4; callee < FUNCTION + 4; callee++)
		bareprof_arc(CALLER, callee);
	assert_int_equal(arena_state(), BAREPROF_STATE_ARMED);
}

static void a_window_ends_after_exactly_its_ticks(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARMS; i++) {
		for (uint32_t ticks = 1; ticks < 20; ticks++) {
			begin();
			arms[i](ticks);
			tick(5);
			bareprof_arc(CALLER, FUNCTION);
			tick(ticks - 1);
			assert_int_equal(arena_state(), BAREPROF_STATE_RUNNING);
			tick(1);
			assert_int_equal(arena_state(), BAREPROF_STATE_STOPPED);
			bareprof_arc(CALLER, FUNCTION);
			tick(5);
			assert_ticks(ticks);
			assert_int_equal(arena_calls(), 1);
		}
	}
}

static void without_a_window_the_profile_continues(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARMS; i++) {
		begin();
		arms[i](0);
		bareprof_arc(CALLER, FUNCTION);
		tick(1000);
		assert_int_equal(arena_state(), BAREPROF_STATE_RUNNING);
		assert_ticks(1000);
	}
}

static void a_profile_that_runs_is_stopped_when_it_is_armed(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARMS; i++) {
		begin();
		bareprof_start();
		arms[i](0);
		assert_int_equal(arena_state(), BAREPROF_STATE_ARMED);
	}
}

static void stop_disarms(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARMS; i++) {
		begin();
		arms[i](7);
		if (i == 0)
			bareprof_stop();
		else
			request(BAREPROF_COMMAND_STOP, 0);
		bareprof_arc(CALLER, FUNCTION);
		assert_int_equal(arena_state(), BAREPROF_STATE_STOPPED);
		assert_int_equal(arena_calls(), 0);
	}
}

/* Neither the trigger nor the window of an arming that came to nothing has a say in what is started by hand. */
static void start_disarms_and_cancels_the_window(void **state)
{
	(void)state;
	for (unsigned stopped = 0; stopped < 2; stopped++) {
		for (size_t i = 0; i < ARMS; i++) {
			begin();
			arms[i](3);
			if (stopped)
				bareprof_stop();
			if (i == 0)
				bareprof_start();
			else
				request(BAREPROF_COMMAND_START, 0);
			tick(10);
			assert_int_equal(arena_state(), BAREPROF_STATE_RUNNING);
			assert_ticks(10);
		}
	}
}

static void a_window_that_was_stopped_is_not_continued_by_a_start(void **state)
{
	(void)state;
	begin();
	arm_by_the_application(5);
	bareprof_arc(CALLER, FUNCTION);
	tick(2);
	bareprof_stop();
	bareprof_start();
	tick(10);
	assert_int_equal(arena_state(), BAREPROF_STATE_RUNNING);
	assert_ticks(12);
}

static void a_window_can_be_armed_repeatedly(void **state)
{
	(void)state;
	begin();
	for (uint32_t round = 1; round <= 5; round++) {
		arms[round % ARMS](4);
		bareprof_arc(CALLER, FUNCTION);
		tick(9);
		assert_int_equal(arena_state(), BAREPROF_STATE_STOPPED);
		assert_ticks(4 * round);
		assert_int_equal(arena_calls(), round);
	}
}

static void a_reset_of_an_armed_profile_leaves_it_armed(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARMS; i++) {
		begin();
		bareprof_start();
		bareprof_arc(CALLER, FUNCTION);
		arms[i](2);
		bareprof_reset();
		assert_int_equal(arena_state(), BAREPROF_STATE_CLEARING_TO_ARM);
		bareprof_arc(CALLER, FUNCTION);
		arena_finish_reset();
		assert_int_equal(arena_state(), BAREPROF_STATE_ARMED);
		assert_int_equal(arena_calls(), 0);
		bareprof_arc(CALLER, FUNCTION);
		tick(9);
		assert_int_equal(arena_calls(), 1);
		assert_ticks(2);
	}
}

static void a_profile_armed_during_a_reset_is_armed_after_it(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARMS; i++) {
		begin();
		bareprof_start();
		bareprof_reset();
		tick(1);
		arms[i](2);
		assert_int_equal(arena_state(), BAREPROF_STATE_CLEARING_TO_ARM);
		bareprof_arc(CALLER, FUNCTION);
		arena_finish_reset();
		assert_int_equal(arena_state(), BAREPROF_STATE_ARMED);
		bareprof_arc(CALLER, FUNCTION);
		tick(9);
		assert_ticks(2);
	}
}

static void arming_before_init_touches_nothing(void **state)
{
	(void)state;
	for (uint32_t seed = 1; seed <= 100; seed++) {
		arena_begin(64, 256);
		arena_fill_random(seed);
		arena_remember();
		arm_by_the_application(3);
		bareprof_arc(CALLER, FUNCTION);
		assert_true(arena_is_as_remembered());
	}
}

static void a_warm_reset_disarms_and_keeps_what_was_recorded(void **state)
{
	(void)state;
	begin();
	bareprof_start();
	bareprof_arc(CALLER, FUNCTION);
	tick(2);
	arm_by_the_application(5);
	bareprof_init();
	assert_int_equal(arena_state(), BAREPROF_STATE_STOPPED);
	assert_int_equal(arena_word(BAREPROF_OFFSET_RESET_COUNT), 1);
	assert_int_equal(arena_calls(), 1);
	bareprof_start();
	tick(10);
	assert_ticks(12);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(an_armed_profile_records_nothing_before_its_trigger),
	        cmocka_unit_test(the_call_that_fires_is_the_first_one_recorded),
	        cmocka_unit_test(an_odd_address_is_that_of_the_function_before_it),
	        cmocka_unit_test(a_function_of_size_0_never_fires),
	        cmocka_unit_test(a_window_ends_after_exactly_its_ticks),
	        cmocka_unit_test(without_a_window_the_profile_continues),
	        cmocka_unit_test(a_profile_that_runs_is_stopped_when_it_is_armed),
	        cmocka_unit_test(stop_disarms),
	        cmocka_unit_test(start_disarms_and_cancels_the_window),
	        cmocka_unit_test(a_window_that_was_stopped_is_not_continued_by_a_start),
	        cmocka_unit_test(a_window_can_be_armed_repeatedly),
	        cmocka_unit_test(a_reset_of_an_armed_profile_leaves_it_armed),
	        cmocka_unit_test(a_profile_armed_during_a_reset_is_armed_after_it),
	        cmocka_unit_test(arming_before_init_touches_nothing),
	        cmocka_unit_test(a_warm_reset_disarms_and_keeps_what_was_recorded),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
