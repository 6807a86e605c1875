/* SPDX-License-Identifier: MIT */
/*
 * Interrupts of the recorder that record themselves, simulated by signals. On x86-64 the trap flag of the processor
 * interrupts each instruction of the recorder in turn; on every computer a timer interrupts it at random.
 */
#include "../../interrupt.h"
#include "arena.h"
#include "test.h"

#include <signal.h>
#include <sys/time.h>

static volatile uint32_t nested_calls[4];

/* Four arcs with the same hash, so that they search from one slot. */
static void call_arc(uintptr_t which)
{
	bareprof_arc(0x100000 + which * 0x20000, 0x200000 + which * 0x40000);
}

static uint64_t arc_calls(uintptr_t which)
{
	return arena_arc_calls(0x100000 + which * 0x20000, 0x200000 + which * 0x40000);
}

static void on_timer(int signal)
{
	static uint32_t turn;

	(void)signal;
	turn++;
	call_arc(turn & 3);
	nested_calls[turn & 3]++;
}

static uint32_t nested_sum(void)
{
	return nested_calls[0] + nested_calls[1] + nested_calls[2] + nested_calls[3];
}

TEST(counts_are_exact_while_a_timer_records)
{
	const struct itimerval often = {{0, 20}, {0, 20}};
	const struct itimerval never = {{0, 0}, {0, 0}};
	const struct sigaction action = {.sa_handler = on_timer, .sa_flags = SA_RESTART};
	uint32_t calls = 0;

	arena_begin_running(64, 256);
	assert_int_equal(sigaction(SIGALRM, &action, NULL), 0);
	for (unsigned i = 0; i < 4; i++)
		nested_calls[i] = 0;
	assert_int_equal(setitimer(ITIMER_REAL, &often, NULL), 0);
	while (nested_sum() < 2000)
		call_arc(calls++ & 3);
	assert_int_equal(setitimer(ITIMER_REAL, &never, NULL), 0);
	for (uint32_t which = 0; which < 4; which++)
		assert_int_equal(arc_calls(which), (calls + 3 - which) / 4 + nested_calls[which]);
	assert_int_equal(arena_slots_in_flight(), 0);
	assert_int_equal(arena_word(BAREPROF_OFFSET_ARCS_DROPPED), 0);
}

#ifdef __x86_64__

static void begin(void)
{
	arena_begin_running(8, 16);
}

static void call_first(void)
{
	call_arc(0);
}

static void call_second(void)
{
	call_arc(1);
}

/* The slot of call_first() while only its callee is written, if the callee were written first. */
static void call_first_from_zero(void)
{
	bareprof_arc(0, 0x200000);
}

static void call_first_thrice(void)
{
	for (unsigned i = 0; i < 3; i++)
		call_arc(0);
}

static void begin_with_first(void)
{
	begin();
	call_first();
}

/* Claims of a slot and hits on it, interrupted anywhere by the same arc and by one that wants the same slot. */
TEST(an_arc_is_counted_once_wherever_it_is_interrupted)
{
	static const struct {
		void (*interrupt)(void);
		uint32_t first_calls, second_calls, zero_calls;
	} cases[] = {
	        {call_first, 1, 0, 0},
	        {call_second, 0, 1, 0},
	        {call_first_thrice, 3, 0, 0},
	        {call_first_from_zero, 0, 0, 1},
	};

	for (size_t i = 0; i < 4; i++) {
		for (uint32_t present = 0; present < 2; present++) {
			while (interrupted(present ? begin_with_first : begin, call_first, cases[i].interrupt)) {
				assert_int_equal(arc_calls(0), present + 1 + cases[i].first_calls);
				assert_int_equal(arc_calls(1), cases[i].second_calls);
				assert_int_equal(arena_arc_calls(0, 0x200000), cases[i].zero_calls);
				assert_int_equal(arena_slots_in_flight(), 0);
			}
		}
	}
}

static void begin_with_7_of_8_slots(void)
{
	begin();
	for (uintptr_t i = 0; i < 7; i++)
		bareprof_arc(0x1000 + i * 2, 0x2000);
}

TEST(a_full_table_counts_each_call_it_drops)
{
	while (interrupted(begin_with_7_of_8_slots, call_first, call_second)) {
		assert_int_equal(arena_calls() + arena_word(BAREPROF_OFFSET_ARCS_DROPPED), 9);
		assert_int_equal(arena_slots_claimed(), 8);
		assert_int_equal(arena_word(BAREPROF_OFFSET_ARCS_DROPPED), 1);
	}
}

static void begin_below_the_limit(void)
{
	begin_with_first();
	for (uint32_t slot = 0; slot < 8; slot++)
		if (arena_arc(slot).count != 0)
			arena_set_arc_count(slot, BAREPROF_COUNTER_LIMIT - 1);
}

TEST(a_saturated_count_states_exactly_what_it_lost)
{
	while (interrupted(begin_below_the_limit, call_first, call_first_thrice)) {
		assert_true(arc_calls(0) >= BAREPROF_COUNTER_LIMIT);
		assert_int_equal(arc_calls(0) + arena_word(BAREPROF_OFFSET_SATURATED), BAREPROF_COUNTER_LIMIT + 3ull);
	}
}

static void begin_stopped(void)
{
	arena_begin(8, 16);
	bareprof_init();
}

static void start_then_stop(void)
{
	bareprof_start();
	bareprof_stop();
}

TEST(gate_and_state_agree_wherever_a_change_is_interrupted)
{
	static void (*const changes[])(void) = {bareprof_start, bareprof_stop, bareprof_reset, start_then_stop};

	for (size_t work = 0; work < 4; work++) {
		for (size_t action = 0; action < 4; action++) {
			while (interrupted(begin_stopped, changes[work], changes[action])) {
				assert_true(arena_state() <= BAREPROF_STATE_MAX);
				/* A start and a reset, in either order: neither is lost. */
				if (changes[work] != changes[action] && work % 2 == 0 && action % 2 == 0)
					assert_int_equal(arena_state(), BAREPROF_STATE_CLEARING_TO_RUN);
			}
		}
	}
}

static void sample_text(void)
{
	bareprof_sample((uintptr_t)bareprof_text_start);
}

TEST(tick_during_a_call_disturbs_neither)
{
	while (interrupted(begin, call_first, sample_text)) {
		assert_int_equal(arc_calls(0), 1);
		assert_int_equal(arena_samples(BAREPROF_SECTION_BINS), 1);
		assert_int_equal(arena_word(BAREPROF_OFFSET_TICKS), 1);
	}
}

static void arm_first(void)
{
	bareprof_arm((const void *)0x200000, 0x10, 1);
}

static void begin_armed(void)
{
	begin();
	arm_first();
}

/* In either order, the stop wins: it came after the profile was armed. */
TEST(a_stop_wins_over_the_trigger_that_it_interrupts)
{
	static void (*const both[])(void) = {call_first, bareprof_stop};

	for (unsigned stop_is_interrupted = 0; stop_is_interrupted < 2; stop_is_interrupted++) {
		while (interrupted(begin_armed, both[stop_is_interrupted], both[!stop_is_interrupted])) {
			assert_int_equal(arena_state(), BAREPROF_STATE_STOPPED);
			assert_in_range(arc_calls(0), 0, 1);
		}
	}
}

TEST(a_reset_and_a_trigger_leave_an_empty_profile)
{
	static void (*const both[])(void) = {call_first, bareprof_reset};

	for (unsigned reset_is_interrupted = 0; reset_is_interrupted < 2; reset_is_interrupted++) {
		while (interrupted(begin_armed, both[reset_is_interrupted], both[!reset_is_interrupted])) {
			assert_in_range(arena_state(), BAREPROF_STATE_CLEARING_TO_RUN, BAREPROF_STATE_CLEARING_TO_ARM);
			arena_finish_reset();
			assert_int_equal(arena_calls(), 0);
			assert_in_range(arena_state(), BAREPROF_STATE_RUNNING, BAREPROF_STATE_ARMED);
			assert_int_equal(arena_word(BAREPROF_OFFSET_EPOCH), 1);
		}
	}
}

/* The window is one tick long: it begins and ends within the call that fires, or is still to come. */
TEST(a_window_that_ends_in_its_first_call_has_call_and_tick)
{
	while (interrupted(begin_armed, call_first, sample_text)) {
		sample_text();
		assert_int_equal(arc_calls(0), 1);
		assert_int_equal(arena_word(BAREPROF_OFFSET_TICKS), 1);
		assert_int_equal(arena_state(), BAREPROF_STATE_STOPPED);
	}
}

static void begin_armed_for_third(void)
{
	begin();
	bareprof_arm((const void *)0x300000, 0x10, 0);
}

/* The range from the end of the old trigger function to the start of the new one must never be the trigger. */
TEST(half_written_trigger_does_not_fire)
{
	while (interrupted(begin_armed_for_third, arm_first, call_second)) {
		assert_int_equal(arena_state(), BAREPROF_STATE_ARMED);
		assert_int_equal(arena_calls(), 0);
	}
}

static unsigned periods_set;

static void count_period(uint32_t clock_units)
{
	(void)clock_units;
	periods_set++;
}

static void begin_with_garbage(void)
{
	static uint32_t seed;

	arena_begin(8, 16);
	arena_layout.config.set_period = count_period;
	arena_fill_random(++seed);
}

static void begin_with_an_open_gate(void)
{
	begin_with_garbage();
	arena_set_state(BAREPROF_STATE_RUNNING);
}

/* RAM holds garbage, and another build left its gate open: init erases everything that is recorded into it. */
TEST(init_is_complete_wherever_a_recorder_interrupts_it)
{
	while (interrupted_in_steps(251, begin_with_an_open_gate, bareprof_init, call_first)) {
		assert_int_equal(arena_state(), BAREPROF_STATE_STOPPED);
		assert_int_equal(arena_calls(), 0);
		assert_memory_equal(arena_bytes(BAREPROF_OFFSET_MAGIC), BAREPROF_MAGIC, BAREPROF_MAGIC_SIZE);
	}
}

static void begin_with_a_request(void)
{
	begin_with_garbage();
	arena_set_word(BAREPROF_OFFSET_CONTROL_REQUEST, BAREPROF_REQUEST(7, BAREPROF_COMMAND_PERIOD));
}

/*
 * The garbage asks for another period. It must not be taken for a request of the host, at any stage of the new block.
 */
TEST(tick_during_init_ignores_garbage)
{
	periods_set = 0;
	while (interrupted_in_steps(13, begin_with_a_request, bareprof_init, sample_text)) {
		assert_int_equal(periods_set, 0);
		assert_int_equal(arena_state(), BAREPROF_STATE_STOPPED);
	}
}

static unsigned ticks_before;

static void tick(void)
{
	bareprof_sample(0);
}

static void begin_in_a_reset(void)
{
	arena_begin_running(8, 64);
	call_first();
	bareprof_reset();
	for (unsigned i = 0; i < ticks_before; i++)
		tick();
}

/* Each tick of a reset in turn is interrupted by another reset. */
TEST(a_reset_that_interrupts_a_reset_still_clears_everything)
{
	for (ticks_before = 0; ticks_before < 4; ticks_before++) {
		while (interrupted(begin_in_a_reset, tick, bareprof_reset)) {
			arena_finish_reset();
			assert_int_equal(arena_calls(), 0);
			assert_int_equal(arena_samples(BAREPROF_SECTION_BINS), 0);
			assert_int_equal(arena_state(), BAREPROF_STATE_RUNNING);
			assert_in_range(arena_word(BAREPROF_OFFSET_EPOCH), 1, 2);
		}
	}
}

#endif
