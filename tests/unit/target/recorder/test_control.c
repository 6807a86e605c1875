/* SPDX-License-Identifier: MIT */
/* Requests of the host through the control words, and resets. test_lifecycle.c checks sequences of them. */
#include "arena.h"
#include "test.h"

static uint32_t period_set;

static void set_period(uint32_t clock_units)
{
	period_set = clock_units;
}

/* Serves a request in a tick; whether the recorder accepted it. */
static bool is_accepted(uint32_t sequence, uint32_t command, uint32_t argument)
{
	arena_request(sequence, command, argument);
	bareprof_sample(0);
	const uint32_t answer = arena_word(BAREPROF_OFFSET_CONTROL_ACKNOWLEDGE);

	if (answer != BAREPROF_REQUEST(sequence, command))
		assert_int_equal(answer, BAREPROF_REQUEST(sequence, command | BAREPROF_COMMAND_REFUSED));
	return answer == BAREPROF_REQUEST(sequence, command);
}

TEST(unknown_commands_are_refused)
{
	arena_begin_running(8, 16);
	for (uint32_t command = 0; command < 0x80; command++) {
		if (command >= BAREPROF_COMMAND_START && command <= BAREPROF_COMMAND_ARM)
			continue;
		assert_false(is_accepted(command + 1, command, 0));
		assert_int_equal(arena_state(), BAREPROF_STATE_RUNNING);
	}
}

TEST(a_period_is_refused_without_a_hook_or_a_value)
{
	arena_begin_running(8, 16);
	assert_false(is_accepted(1, BAREPROF_COMMAND_PERIOD, 77));
	arena_layout.config.set_period = set_period;
	period_set = 0;
	assert_false(is_accepted(2, BAREPROF_COMMAND_PERIOD, 0));
	assert_int_equal(period_set, 0);
	assert_int_equal(arena_word(BAREPROF_OFFSET_PERIOD), 10);
	assert_int_equal(arena_state(), BAREPROF_STATE_RUNNING);
}

TEST(a_new_period_is_set_and_begins_an_epoch)
{
	arena_begin_running(8, 16);
	arena_layout.config.set_period = set_period;
	assert_true(is_accepted(1, BAREPROF_COMMAND_PERIOD, 777));
	assert_int_equal(period_set, 777);
	assert_int_equal(arena_word(BAREPROF_OFFSET_PERIOD), 777);
	assert_int_equal(arena_state(), BAREPROF_STATE_CLEARING_TO_RUN);
	arena_finish_reset();
	assert_int_equal(arena_word(BAREPROF_OFFSET_EPOCH), 1);
	assert_int_equal(arena_word(BAREPROF_OFFSET_TICKS), 0);
	assert_int_equal(arena_state(), BAREPROF_STATE_RUNNING);
}

static bool period_is_taken(uint32_t sequence, uint32_t period)
{
	period_set = 0;
	const bool is_taken = is_accepted(sequence, BAREPROF_COMMAND_PERIOD, period);

	arena_finish_reset();
	assert_int_equal(period_set, is_taken ? period : 0);
	return is_taken;
}

TEST(a_period_outside_the_limits_is_refused)
{
	static const struct {
		uint32_t minimum, maximum, effective_minimum, effective_maximum;
	} limits[] = {{0, 0, 512, 3000000000u},
	              {100, 0, 100, 3000000000u},
	              {0, 5000, 512, 5000},
	              {1, 0xFFFFFFFFu, 1, 0xFFFFFFFFu},
	              {700, 700, 700, 700}};

	for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
		const uint32_t shortest = limits[i].effective_minimum, longest = limits[i].effective_maximum;

		arena_begin_running(8, 16);
		arena_layout.config.set_period = set_period;
		arena_layout.config.period_min = limits[i].minimum;
		arena_layout.config.period_max = limits[i].maximum;
		assert_false(period_is_taken(1, shortest - 1));
		assert_int_equal(arena_word(BAREPROF_OFFSET_PERIOD), 10);
		assert_true(period_is_taken(2, shortest));
		assert_true(period_is_taken(3, longest));
		if (longest != 0xFFFFFFFFu)
			assert_false(period_is_taken(4, longest + 1));
		assert_int_equal(arena_word(BAREPROF_OFFSET_PERIOD), longest);
	}
}

static void fill_every_counter(void)
{
	bareprof_arc(0x1000, 0x2000);
	bareprof_sample((uintptr_t)bareprof_text_start);
	for (uint32_t offset = BAREPROF_OFFSET_TICKS; offset <= BAREPROF_OFFSET_SATURATED; offset += 4)
		arena_set_word(offset, 5);
	arena_set_word(BAREPROF_OFFSET_RESET_COUNT, 5);
}

TEST(a_reset_clears_a_slice_per_tick_and_then_continues)
{
	uint32_t tables, ticks;

	for (unsigned running = 0; running < 2; running++) {
		arena_begin_running(64, 256);
		fill_every_counter();
		if (!running)
			bareprof_stop();
		arena_remember();
		bareprof_reset();
		assert_int_equal(arena_state() & BAREPROF_STATE_CLEARING, BAREPROF_STATE_CLEARING);
		tables = arena_layout.block_size - (uint32_t)BAREPROF_HEADER_SIZE(sizeof(uintptr_t));
		ticks = arena_finish_reset();
		assert_int_equal(ticks, 1 + (tables + 255) / 256);
		assert_int_equal(arena_state(), running ? BAREPROF_STATE_RUNNING : BAREPROF_STATE_STOPPED);
		assert_int_equal(arena_calls(), 0);
		assert_int_equal(arena_samples(BAREPROF_SECTION_BINS), 0);
		assert_int_equal(arena_word(BAREPROF_OFFSET_EPOCH), 1);
		assert_int_equal(arena_word(BAREPROF_OFFSET_RESET_COUNT), 0);
		assert_int_equal(arena_word(BAREPROF_OFFSET_TICKS_MISSED), BAREPROF_UNKNOWN);
		for (uint32_t offset = BAREPROF_OFFSET_SAMPLES_OUTSIDE; offset <= BAREPROF_OFFSET_SATURATED;
		     offset += 4)
			assert_int_equal(arena_word(offset), 0);
		assert_int_equal(arena_word(BAREPROF_OFFSET_TICKS), 0);
		assert_int_equal(arena_slots_claimed(), 0);
		assert_true(arena_is_untouched_outside_block());
	}
}

TEST(the_first_tick_of_a_reset_clears_nothing)
{
	arena_begin_running(64, 256);
	for (uintptr_t i = 0; i < 64; i++)
		bareprof_arc(0x1000 + 2 * i, 0x2000);
	bareprof_reset();
	bareprof_sample(0);
	assert_int_equal(arena_calls(), 64);
	bareprof_sample(0);
	assert_true(arena_calls() < 64);
}
