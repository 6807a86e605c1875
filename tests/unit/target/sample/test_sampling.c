/* SPDX-License-Identifier: MIT */
/* Samples are read without a trace on the core, until time is up, a signal comes or the target is gone. */
#include "core.h"
#include "target/sample/rhythm.h"
#include "test.h"

#include <string.h>
#include <unistd.h>

#define SECOND UINT64_C(1000000000)

static struct core core;
static struct batches batches;
static struct sampling_plan plan;
static struct error error;
static struct sampling_end ended;

static int begin(void **state)
{
	core_init(&core);
	plan = (struct sampling_plan){
	        .nanoseconds = SECOND, .rate = 10000, .seed = 1, .cancel = -1, .stopwatch = &core.stopwatch};
	memset(&error, 0, sizeof error);
	return batches_begin(&batches, &core_image) ? 0 : -1;
}

static int end(void **state)
{
	batches_free(&batches);
	return 0;
}

static enum status run(void)
{
	return sampling_run(&core.target, &plan, &batches, &ended, &error);
}

EACH_TEST(begin, end);

TEST(rate_and_time_are_kept)
{
	assert_int_equal(run(), STATUS_OK);
	assert_false(ended.is_cut_short);
	assert_in_range(batches.reads, 9000, 11000);
	assert_in_range(batches.nanoseconds, SECOND, SECOND + SECOND / 50);
	assert_false(ended.is_behind);
	/* Of random length: half as many again as there are batches would not do. */
	assert_in_range(batches.reads / batches.batches, 14, 18);
}

static void hear(void *context, uint64_t left, uint64_t reads)
{
	uint64_t *heard = context;

	assert_true(left < heard[0] || left == 0);
	assert_true(reads > heard[1]);
	heard[0] = left;
	heard[1] = reads;
}

TEST(what_is_left_is_told_behind_each_batch)
{
	uint64_t heard[] = {SECOND, 0};

	plan.progress = hear;
	plan.context = heard;
	assert_int_equal(run(), STATUS_OK);
	assert_int_equal(heard[0], 0);
	assert_int_equal(heard[1], batches.reads);
}

TEST(a_rate_beyond_the_probe_leaves_half_of_the_time_to_chance)
{
	plan.rate = 10000000;
	assert_int_equal(run(), STATUS_OK);
	double busy = (double)batches.reads * 8000 + (double)batches.batches * 100000;
	assert_in_range((uintmax_t)(100 * busy / (double)batches.nanoseconds), 45, 55);
	assert_true(ended.is_behind);
}

TEST(trace_part_is_left_as_it_was_found)
{
	assert_int_equal(run(), STATUS_OK);
	assert_int_equal(core.demcr, 0x1);
	core.demcr = 0x01000001;
	assert_int_equal(run(), STATUS_OK);
	assert_int_equal(core.demcr, 0x01000001);
}

TEST(a_halted_core_is_never_code)
{
	core.is_halted = true;
	assert_int_equal(run(), STATUS_OK);
	assert_int_equal(batches.unavailable, batches.reads);
	assert_int_equal(batches.place_count, 1);
}

TEST(a_signal_ends_it_and_keeps_what_came)
{
	core.cancels = SECOND / 4;
	assert_int_equal(run(), STATUS_OK);
	assert_true(ended.is_cut_short);
	assert_in_range(batches.reads, 2000, 3000);
	assert_int_equal(core.demcr, 0x1);
}

TEST(a_target_that_vanishes_is_a_failure)
{
	core.vanishes = SECOND / 2;
	assert_int_equal(run(), STATUS_FAILED);
	assert_string_equal(error.message, "core:0: unplugged");
}

TEST(a_reset_is_a_failure)
{
	core.is_reset = SECOND / 2;
	assert_int_equal(run(), STATUS_FAILED);
	assert_string_equal(error.message, "core:0: the target was reset while it was sampled: sample again");
	assert_int_equal(core.demcr, 0x1);
	/* It is none of the next one's. */
	assert_int_equal(run(), STATUS_OK);
}

TEST(a_trace_part_that_is_switched_off_is_a_failure)
{
	core.loses_trace = SECOND / 2;
	assert_int_equal(run(), STATUS_FAILED);
	assert_non_null(strstr(error.message, "the trace part of the core is off (DEMCR.TRCENA)"));
}

TEST(a_core_without_the_register_is_refused)
{
	core.has_pcsr = false;
	assert_int_equal(run(), STATUS_FAILED);
	assert_non_null(strstr(error.message, "has no DWT_PCSR"));
	assert_int_equal(core.demcr, 0x1);
}

TEST(another_kind_of_core_is_refused_and_not_written_to)
{
	core.demcr = 0;
	core.cpuid = 0;
	assert_int_equal(run(), STATUS_FAILED);
	assert_non_null(strstr(error.message, "no Cortex-M (CPUID reads 0x00000000)"));
	core.cpuid = UINT32_MAX;
	assert_int_equal(run(), STATUS_FAILED);
	assert_non_null(strstr(error.message, "no Cortex-M (CPUID reads 0xffffffff)"));
	assert_int_equal(core.demcr, 0);
}

TEST_WITH(a_pause_lasts_unless_a_signal_comes, NULL, NULL)
{
	const uint64_t pause = 3000000;
	int ends[2];

	assert_int_equal(pipe(ends), 0);
	uint64_t before = stopwatch_system.now(NULL);
	assert_true(stopwatch_system.pause(NULL, pause, ends[0]));
	assert_true(stopwatch_system.now(NULL) - before >= pause);
	assert_int_equal(write(ends[1], "", 1), 1);
	assert_false(stopwatch_system.pause(NULL, 3600 * SECOND, ends[0]));
	close(ends[0]);
	close(ends[1]);
}
