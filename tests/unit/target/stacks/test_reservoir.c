/* SPDX-License-Identifier: MIT */
/* Which ticks are kept as slices, what survives resets, and the sum of the cost of ticks. */
#include "stacks.h"
#include "test.h"

EACH_TEST(stacks_begin, NULL);

#define CELLS 20u

static void tick_many(uint32_t ticks)
{
	for (uint32_t i = 0; i < ticks; i++)
		stacks_tick((uintptr_t)&stack[i % 8]);
}

TEST(first_ticks_fill_the_slices_in_order)
{
	tick_many(BAREPROF_STACKS);
	for (uint32_t i = 0; i < BAREPROF_STACKS; i++)
		assert_int_equal(stacks_slice(i).number, i + 1);
}

/*
 * In runs of different length, which are one long run of the generator, each tick is kept with the same probability:
 * Pearson's chi square over twentieths of the runs. Quantile 0.999 of 19 degrees
 * of freedom: 43.8, 0.001: 5.4.
 */
TEST(kept_ticks_are_a_uniform_sample_of_all_ticks)
{
	double kept[CELLS] = {0};
	double chi_square = 0;
	const unsigned runs = 400;

	for (unsigned run = 0; run < runs; run++) {
		const uint32_t random = stacks_total(BAREPROF_STACK_TOTAL_RANDOM);
		const uint32_t ticks = 40 * CELLS + run % 7 * CELLS;

		stacks_begin(NULL);
		stacks_set_total(BAREPROF_STACK_TOTAL_RANDOM, random);
		tick_many(ticks);
		assert_int_equal(stacks_total(BAREPROF_STACK_TOTAL_OFFERED), ticks);
		for (uint32_t i = 0; i < BAREPROF_STACKS; i++)
			kept[(stacks_slice(i).number - 1) * CELLS / ticks]++;
	}
	for (unsigned i = 0; i < CELLS; i++) {
		const double expected = (double)runs * BAREPROF_STACKS / CELLS;

		chi_square += (kept[i] - expected) * (kept[i] - expected) / expected;
	}
	if (chi_square < 5.4 || chi_square > 43.8)
		fail_msg("chi square %.1f", chi_square);
}

TEST(no_tick_is_kept_twice)
{
	tick_many(1000);
	for (uint32_t i = 0; i < BAREPROF_STACKS; i++)
		for (uint32_t j = 0; j < i; j++)
			assert_int_not_equal(stacks_slice(i).number, stacks_slice(j).number);
}

TEST(saturated_counter_ends_the_offering)
{
	tick_many(BAREPROF_STACKS);
	arena_set_word(BAREPROF_OFFSET_TICKS, BAREPROF_COUNTER_LIMIT);
	stacks_set_total(BAREPROF_STACK_TOTAL_OFFERED, BAREPROF_COUNTER_LIMIT);
	tick_many(1000);
	assert_int_equal(stacks_total(BAREPROF_STACK_TOTAL_OFFERED), BAREPROF_COUNTER_LIMIT);
	for (uint32_t i = 0; i < BAREPROF_STACKS; i++)
		assert_int_equal(stacks_slice(i).number, i + 1);
}

TEST(warm_reset_continues_the_reservoir)
{
	uint32_t random;

	tick_many(100);
	random = stacks_total(BAREPROF_STACK_TOTAL_RANDOM);
	bareprof_init();
	assert_int_equal(stacks_total(BAREPROF_STACK_TOTAL_OFFERED), 100);
	assert_int_equal(stacks_total(BAREPROF_STACK_TOTAL_RANDOM), random);
	assert_int_not_equal(stacks_slice(0).number, 0);
}

TEST(other_build_drops_slices_with_their_counts)
{
	tick_many(100);
	arena_note[5]++;
	bareprof_init();
	assert_int_equal(arena_word(BAREPROF_OFFSET_TICKS), 0);
	assert_int_equal(stacks_total(BAREPROF_STACK_TOTAL_OFFERED), 0);
	assert_int_equal(stacks_slice(0).number, 0);
}

static unsigned count_slices(void)
{
	unsigned count = 0;

	for (uint32_t i = 0; i < BAREPROF_STACKS; i++)
		count += stacks_slice(i).number != 0;
	return count;
}

TEST(request_for_a_reset_clears_slices_and_totals)
{
	tick_many(100);
	arena_request(1, BAREPROF_COMMAND_RESET, 0);
	tick_many(1);
	assert_int_equal(arena_state(), BAREPROF_STATE_CLEARING_TO_RUN);
	arena_finish_reset();
	for (unsigned i = 0; i < BAREPROF_STACK_TOTALS; i++)
		assert_int_equal(stacks_total(i), 0);
	for (uint32_t i = 0; i < BAREPROF_STACKS; i++) {
		assert_int_equal(stacks_slice(i).number, 0);
		assert_int_equal(stacks_slice(i).number_again, 0);
	}
	tick_many(1);
	assert_int_equal(stacks_slice(0).number, 1);
}

/* A step of a reset clears at most 256 bytes, and the first one nothing. */
TEST(each_tick_of_a_reset_clears_a_part_of_the_slices)
{
	const uint32_t tables = arena_layout.block_size - arena_layout.sections[BAREPROF_DIRECTORY_ARCS].offset;
	unsigned slices_at_first, ticks = 0;

	tick_many(100);
	arena_request(1, BAREPROF_COMMAND_RESET, 0);
	tick_many(1);
	slices_at_first = count_slices();
	for (; arena_state() == BAREPROF_STATE_CLEARING_TO_RUN; ticks++) {
		const unsigned slices = count_slices();

		tick_many(1);
		assert_in_range(slices - count_slices(), 0,
		                256 / BAREPROF_SLICE_SIZE(sizeof(uintptr_t), BAREPROF_STACK_BYTES) + 1);
	}
	assert_int_equal(slices_at_first, BAREPROF_STACKS);
	assert_in_range(ticks, tables / 256, tables / 256 + 2);
	assert_int_equal(count_slices(), 0);
}

/* A timer that counts down from the distance of 10 set by the layout; a tick begins when `left_at_entry` is left, and
 * takes `handler_units`. */
static uint32_t left_at_entry, handler_units;
static bool is_entry;

uint32_t bareprof_timer_remaining(void)
{
	is_entry = !is_entry;
	return is_entry ? left_at_entry : left_at_entry - handler_units;
}

static void tick_64(uint32_t left, uint32_t units)
{
	is_entry = false;
	left_at_entry = left;
	handler_units = units;
	tick_many(64);
}

TEST(costs_of_timed_ticks_are_summed)
{
	tick_64(9, 3);
	tick_64(9, 5);
	assert_int_equal(stacks_total(BAREPROF_STACK_TOTAL_TIMED), 2);
	assert_int_equal(stacks_total(BAREPROF_STACK_TOTAL_COST), 3 + 5);
	stacks_set_total(BAREPROF_STACK_TOTAL_COST, UINT32_MAX - 1);
	tick_64(9, 5);
	assert_int_equal(stacks_total(BAREPROF_STACK_TOTAL_COST), 3);
	assert_int_equal(stacks_total(BAREPROF_STACK_TOTAL_COST_HIGH), 1);
}

static uint32_t time_until_ticks_begin(void)
{
	return arena_word(BAREPROF_OFFSET_TICK_COST(BAREPROF_DIRECTORY_COUNT, (uint32_t)sizeof(uintptr_t)));
}

TEST(masked_sections_before_a_tick_do_not_raise_its_cost)
{
	tick_64(8, 3);
	tick_64(5, 3);
	assert_int_equal(time_until_ticks_begin(), 2);
	tick_64(9, 3);
	tick_64(4, 3);
	assert_int_equal(time_until_ticks_begin(), 1);
	assert_int_equal(stacks_total(BAREPROF_STACK_TOTAL_COST), 4 * 3);
}

/* Its comparator still has the deadline that passed 2 units ago, and then the next one. */
TEST(timer_with_a_deadline_has_the_same_cost)
{
	tick_64((uint32_t)-2, (uint32_t)-2 - 5);
	assert_int_equal(time_until_ticks_begin(), 2);
	assert_int_equal(stacks_total(BAREPROF_STACK_TOTAL_COST), 3);
}

/* The timer has a deadline and a distance of 10. Firings that merge are not ticks, so their time is left out. */
TEST(ticks_that_outlast_the_distance_are_timed_and_counted)
{
	static const uint32_t since_begin[] = {9, 10, 19, 20, 1000};
	static const uint32_t costs[] = {9, 10, 19, 15, 15};
	uint32_t sum = 0;

	for (uint32_t i = 0; i < 5; i++) {
		sum += costs[i];
		tick_64((uint32_t)-2, since_begin[i] - 10);
		assert_int_equal(stacks_total(BAREPROF_STACK_TOTAL_TIMED), i + 1);
		assert_int_equal(stacks_total(BAREPROF_STACK_TOTAL_COST), sum);
		assert_int_equal(stacks_total(BAREPROF_STACK_TOTAL_OVERRUNS), i);
	}
	assert_int_equal(time_until_ticks_begin(), 2);
}

/* A tick that is late by a whole distance finds another deadline set. */
TEST(tick_later_than_its_deadline_is_not_timed)
{
	tick_64((uint32_t)-20, (uint32_t)-20 - 7);
	assert_int_equal(stacks_total(BAREPROF_STACK_TOTAL_TIMED), 0);
	assert_int_equal(stacks_total(BAREPROF_STACK_TOTAL_COST), 0);
	assert_int_equal(time_until_ticks_begin(), 0);
}

/* The distance is then unknown to the recorder. */
TEST(handler_that_draws_distances_itself_has_no_cost)
{
	const struct bareprof_interrupted interrupted = stacks_interrupted((uintptr_t)&stack[0]);

	is_entry = false;
	left_at_entry = 9;
	handler_units = 3;
	bareprof_dither(1024);
	for (unsigned i = 0; i < 200; i++)
		bareprof_stack_sample(stacks_pc(), &interrupted);
	assert_int_equal(stacks_total(BAREPROF_STACK_TOTAL_OFFERED), 200);
	assert_int_equal(stacks_total(BAREPROF_STACK_TOTAL_TIMED), 0);
	assert_int_equal(stacks_total(BAREPROF_STACK_TOTAL_COST), 0);
}
