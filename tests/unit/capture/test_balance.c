/* SPDX-License-Identifier: MIT */
/* Ticks without a sample are detected. */
#include "capture/capture.h"
#include "test.h"

#include <bareprof/block.h>
#include <stdlib.h>

/* Three samples in a granule, two in a coarse bin, one outside. */
static struct capture_samples sum(uint32_t ticks, uint32_t saturated, uint32_t run_state, int skew)
{
	struct capture_cell cells[] = {{.count = 3, .high = 2}, {.count = 2, .high = 2, .coarse = true}};
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

TEST(samples_are_summed_by_where_they_are)
{
	struct capture_samples samples = sum(6, 0, BAREPROF_STATE_STOPPED, -1);
	assert_int_equal(samples.fine, 3);
	assert_int_equal(samples.coarse, 2);
	assert_int_equal(samples.outside, 1);
	assert_int_equal(samples.balance, CAPTURE_ADDS_UP);
}

TEST(a_stopped_block_adds_up_exactly)
{
	assert_int_equal(sum(7, 0, BAREPROF_STATE_STOPPED, 0).balance, CAPTURE_DOES_NOT_ADD_UP);
	assert_int_equal(sum(5, 0, BAREPROF_STATE_STOPPED, 0).balance, CAPTURE_DOES_NOT_ADD_UP);
	assert_int_equal(sum(5, 0, BAREPROF_STATE_ARMED, -1).balance, CAPTURE_DOES_NOT_ADD_UP);
}

TEST(full_counters_explain_what_is_missing_and_no_more)
{
	assert_int_equal(sum(8, 2, BAREPROF_STATE_STOPPED, -1).balance, CAPTURE_ADDS_UP);
	assert_int_equal(sum(9, 2, BAREPROF_STATE_STOPPED, -1).balance, CAPTURE_DOES_NOT_ADD_UP);
	assert_int_equal(sum(5, 2, BAREPROF_STATE_STOPPED, -1).balance, CAPTURE_DOES_NOT_ADD_UP);
}

TEST(a_running_target_may_differ_by_its_skew_and_one)
{
	assert_int_equal(sum(4, 0, BAREPROF_STATE_RUNNING, 2).balance, CAPTURE_ADDS_UP_WITH_SKEW);
	assert_int_equal(sum(3, 0, BAREPROF_STATE_RUNNING, 2).balance, CAPTURE_DOES_NOT_ADD_UP);
	assert_int_equal(sum(7, 0, BAREPROF_STATE_RUNNING, 0).balance, CAPTURE_ADDS_UP_WITH_SKEW);
	assert_int_equal(sum(8, 0, BAREPROF_STATE_RUNNING, 0).balance, CAPTURE_DOES_NOT_ADD_UP);
	assert_int_equal(sum(1, 0, BAREPROF_STATE_RUNNING, -1).balance, CAPTURE_ADDS_UP_WITH_SKEW);
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
