/* SPDX-License-Identifier: MIT */
/* The trigger and the window of an armed profile. test_lifecycle.c checks arming in every other state. */
#include "arena.h"
#include "test.h"

#define FUNCTION ((uintptr_t)0x2000)
#define SIZE     0x40u
#define CALLER   ((uintptr_t)0x1000)

static uint32_t sequence;

static void request(uint32_t command, uint32_t argument)
{
	arena_request(++sequence, command, argument);
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
	assert_int_equal(arena_samples(BAREPROF_SECTION_BINS), ticks);
}

TEST(an_armed_profile_records_nothing_before_its_trigger)
{
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
TEST(the_call_that_fires_is_the_first_one_recorded)
{
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

TEST(odd_address_belongs_to_the_function_before_it)
{
	begin();
	bareprof_arm((const void *)(FUNCTION | 1), SIZE, 0);
	bareprof_arc(CALLER, FUNCTION);
	assert_int_equal(arena_state(), BAREPROF_STATE_RUNNING);
}

TEST(a_function_of_size_0_never_fires)
{
	begin();
	bareprof_arm((const void *)FUNCTION, 0, 0);
	for (uintptr_t callee = FUNCTION - 4; callee < FUNCTION + 4; callee++)
		bareprof_arc(CALLER, callee);
	assert_int_equal(arena_state(), BAREPROF_STATE_ARMED);
}

TEST(a_window_ends_after_exactly_its_ticks)
{
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
