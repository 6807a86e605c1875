/* SPDX-License-Identifier: MIT */
/* Ticks of a timer whose period is set for each tick, and their measured cost. The timer is a model, whose handler
 * takes as long as the test wants. */
#include "arena.h"
#include "test.h"

#define PERIOD 1000u
#define TICKS  1000u
#define LIMIT  BAREPROF_COUNTER_LIMIT

/* The timer: how late the handler is entered, how long it runs, and whether a new distance takes effect at once. */
static bool is_preloaded;
static uint32_t entry_units;
static uint32_t handler_units;

static uint32_t running_distance; /* from when it last fired to when it fires next */
static uint32_t next_distance;
static uint32_t elapsed;
static unsigned calls;
static unsigned acknowledged;
static uint64_t distances;

static void acknowledge(uint32_t clock_units)
{
	acknowledged++;
	distances += clock_units;
	next_distance = clock_units;
	if (!is_preloaded)
		running_distance = clock_units;
}

/* The second call is at the end of the handler. The timer may fire in between. */
uint32_t bareprof_timer_remaining(void)
{
	if (calls++ != 0)
		elapsed += handler_units;
	while (elapsed >= running_distance) {
		elapsed -= running_distance;
		running_distance = next_distance;
	}
	return running_distance - elapsed;
}

BAREPROF_TIMER_ISR(dithered_interrupt, acknowledge)

static void fixed_acknowledge(void)
{
}

BAREPROF_FIXED_TIMER_ISR(fixed_interrupt, fixed_acknowledge)

static int begin(void **state)
{
	arena_begin(8, 16);
	arena_layout.config.period = PERIOD;
	bareprof_init();
	bareprof_start();
	is_preloaded = true;
	entry_units = 10;
	handler_units = 50;
	running_distance = next_distance = PERIOD;
	acknowledged = 0;
	distances = 0;
	return 0;
}

EACH_TEST(begin, NULL);

static void tick_with(void (*interrupt)(uintptr_t))
{
	running_distance = next_distance;
	elapsed = entry_units;
	calls = 0;
	interrupt((uintptr_t)bareprof_text_start);
}

static void ticks_with(void (*interrupt)(uintptr_t), unsigned ticks)
{
	for (unsigned i = 0; i < ticks; i++)
		tick_with(interrupt);
}

static uint32_t tick_cost(void)
{
	return arena_word(BAREPROF_OFFSET_TICK_COST(BAREPROF_DIRECTORY_COUNT, (uint32_t)sizeof(uintptr_t)));
}

TEST(each_tick_is_acknowledged_once_and_files_a_sample)
{
	ticks_with(dithered_interrupt, TICKS);
	assert_int_equal(acknowledged, TICKS);
	assert_int_equal(arena_word(BAREPROF_OFFSET_TICKS), TICKS);
	assert_int_equal(arena_samples(BAREPROF_SECTION_BINS), TICKS);
}

/*
 * The standard deviation of the mean of this many is 1/sqrt(12) of half a period, divided by the root of their number.
 */
TEST(the_mean_distance_is_the_period)
{
	ticks_with(dithered_interrupt, 40000);
	assert_in_range(distances / 40000, PERIOD - 3, PERIOD + 3);
}

TEST(the_block_shows_whether_distances_were_drawn)
{
	ticks_with(fixed_interrupt, TICKS);
	assert_int_equal(arena_word(BAREPROF_OFFSET_RANDOM), 0);
	ticks_with(dithered_interrupt, 2);
	assert_int_not_equal(arena_word(BAREPROF_OFFSET_RANDOM), 0);
}

TEST(cold_start_resets_the_random_number)
{
	for (uint32_t seed = 1; seed < 20; seed++) {
		arena_begin(8, 16);
		arena_fill_random(seed);
		bareprof_init();
		assert_int_equal(arena_word(BAREPROF_OFFSET_RANDOM), 0);
		assert_int_equal(tick_cost(), 0);
	}
}

TEST(the_cost_is_the_minimum_from_firing_to_return)
{
	for (unsigned preloaded = 0; preloaded < 2; preloaded++) {
		begin(state);
		is_preloaded = preloaded;
		for (unsigned i = 0; i < TICKS; i++) {
			handler_units = 50 + i % 7 * 10; /* preempted */
			entry_units = 10 + i % 5 * 20;   /* masked */
			tick_with(dithered_interrupt);
		}
		assert_int_equal(tick_cost(), 60);
	}
}

TEST(fixed_period_is_also_timed)
{
	ticks_with(fixed_interrupt, TICKS);
	assert_int_equal(tick_cost(), 60);
}

/* A handler that draws its own distances may have a timer of either kind. */
TEST(handler_that_draws_its_own_distance_is_not_timed)
{
	for (unsigned i = 0; i < TICKS; i++) {
		(void)bareprof_dither(PERIOD);
		tick_with(fixed_interrupt);
	}
	assert_int_equal(tick_cost(), 0);
}

/* The handler is so late that the timer fires again before it ends. If it fires during the entry, the duration is
 * unknown. */
TEST(tick_overtaken_by_the_timer_is_not_timed)
{
	ticks_with(dithered_interrupt, TICKS);
	for (uint32_t late = 0; late < 2000; late++) {
		entry_units = late % PERIOD;
		if (entry_units < 10)
			continue;
		tick_with(dithered_interrupt);
		assert_in_range(tick_cost(), handler_units, 60);
	}
}

/* The firmware starts its timer at the period. */
static void warm_reset(void)
{
	bareprof_init();
	bareprof_start();
	running_distance = next_distance = PERIOD;
}

TEST(first_tick_after_a_warm_reset_has_the_right_cost)
{
	for (unsigned reset = 0; reset < 100; reset++) {
		ticks_with(dithered_interrupt, BAREPROF_TIMED_TICKS);
		warm_reset();
		tick_with(dithered_interrupt);
		assert_int_equal(tick_cost(), 60);
		ticks_with(dithered_interrupt, BAREPROF_TIMED_TICKS - 1);
	}
}

TEST(distances_differ_after_each_warm_reset)
{
	uint64_t before = 0;

	for (unsigned reset = 0; reset < 100; reset++) {
		distances = 0;
		ticks_with(dithered_interrupt, 10);
		assert_int_not_equal(distances, before);
		before = distances;
		warm_reset();
	}
}

TEST(a_reset_forgets_the_cost)
{
	ticks_with(dithered_interrupt, TICKS);
	handler_units = 90; /* in units of the new clock */
	bareprof_clock_changed(2000);
	arena_finish_reset();
	assert_int_equal(tick_cost(), 0);
	ticks_with(dithered_interrupt, TICKS);
	assert_int_equal(tick_cost(), 100);
}

TEST(a_tick_that_is_not_recorded_costs_nothing)
{
	bareprof_stop();
	ticks_with(dithered_interrupt, TICKS);
	assert_int_equal(acknowledged, TICKS);
	assert_int_equal(tick_cost(), 0);
}

TEST(the_count_of_ticks_stops_at_its_limit)
{
	arena_set_word(BAREPROF_OFFSET_TICKS, LIMIT - 10);
	ticks_with(dithered_interrupt, TICKS);
	assert_int_equal(arena_word(BAREPROF_OFFSET_TICKS), LIMIT);
}
