/* SPDX-License-Identifier: MIT */
/* Ticks without a sample are detected. */
#include "capture/capture.h"
#include "test.h"

#include <bareprof/block.h>

/* Three samples in a granule, two in a coarse bin, one outside. */
static struct capture_samples sum(uint32_t ticks, uint32_t saturated, uint32_t run_state, int skew)
{
	struct capture_cell cells[] = {{.count = 3, .high = 2}, {.count = 2, .high = 2, .is_coarse = true}};
	const struct capture_block block = {
	        .header = {.ticks = ticks, .saturated = saturated, .samples_outside = 1, .state = run_state},
	        .cells = cells,
	        .cell_count = 2,
	        .has_skew = skew >= 0,
	        .ticks_before = ticks,
	        .ticks_after = ticks + (skew > 0 ? (uint32_t)skew : 0),
	};

	return capture_sum_samples(&block);
}

TEST(samples_are_summed_by_kind)
{
	struct capture_samples samples = sum(6, 0, BAREPROF_STATE_STOPPED, -1);

	assert_int_equal(samples.fine, 3);
	assert_int_equal(samples.coarse, 2);
	assert_int_equal(samples.outside, 1);
	assert_int_equal(samples.balance, CAPTURE_ADDS_UP);
}

TEST(balance_compares_samples_and_ticks)
{
	enum { STOPPED = BAREPROF_STATE_STOPPED, ARMED = BAREPROF_STATE_ARMED, RUNNING = BAREPROF_STATE_RUNNING };
	static const struct {
		uint32_t ticks, saturated, state;
		int skew;
		enum capture_balance balance;
	} cases[] = {
	        {7, 0, STOPPED, 0, CAPTURE_DOES_NOT_ADD_UP},
	        {5, 0, STOPPED, 0, CAPTURE_DOES_NOT_ADD_UP},
	        {5, 0, ARMED, -1, CAPTURE_DOES_NOT_ADD_UP},
	        /* Saturated counters explain missing samples, but no more than they lost. */
	        {8, 2, STOPPED, -1, CAPTURE_ADDS_UP},
	        {9, 2, STOPPED, -1, CAPTURE_DOES_NOT_ADD_UP},
	        {5, 2, STOPPED, -1, CAPTURE_DOES_NOT_ADD_UP},
	        /* A running target may differ by its skew and one tick. */
	        {4, 0, RUNNING, 2, CAPTURE_ADDS_UP_WITH_SKEW},
	        {3, 0, RUNNING, 2, CAPTURE_DOES_NOT_ADD_UP},
	        {7, 0, RUNNING, 0, CAPTURE_ADDS_UP_WITH_SKEW},
	        {8, 0, RUNNING, 0, CAPTURE_DOES_NOT_ADD_UP},
	        {1, 0, RUNNING, -1, CAPTURE_ADDS_UP_WITH_SKEW},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		assert_int_equal(sum(cases[i].ticks, cases[i].saturated, cases[i].state, cases[i].skew).balance,
		                 cases[i].balance);
}

TEST(each_warm_reset_may_lose_a_sample)
{
	struct capture_cell cell = {.count = 4, .high = 2};
	struct capture_block block = {
	        .header = {.ticks = 6, .reset_count = 2, .state = BAREPROF_STATE_STOPPED},
	        .cells = &cell,
	        .cell_count = 1,
	};

	assert_int_equal(capture_sum_samples(&block).balance, CAPTURE_ADDS_UP);
	block.header.ticks++;
	assert_int_equal(capture_sum_samples(&block).balance, CAPTURE_DOES_NOT_ADD_UP);
	block.header.state = BAREPROF_STATE_RUNNING;
	block.has_skew = true;
	assert_int_equal(capture_sum_samples(&block).balance, CAPTURE_ADDS_UP_WITH_SKEW);
}

TEST(saturated_ticks_do_not_contradict)
{
	struct capture_cell cell = {.count = UINT64_MAX, .high = 2};
	struct capture_block block = {
	        .header = {.ticks = BAREPROF_COUNTER_LIMIT, .samples_outside = 1, .state = BAREPROF_STATE_STOPPED},
	        .cells = &cell,
	        .cell_count = 1,
	};

	assert_int_equal(capture_sum_samples(&block).balance, CAPTURE_ADDS_UP);
	block.header.ticks--;
	assert_int_equal(capture_sum_samples(&block).balance, CAPTURE_DOES_NOT_ADD_UP);
}
