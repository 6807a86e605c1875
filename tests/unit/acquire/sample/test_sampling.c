/* SPDX-License-Identifier: MIT */
/* Sampling leaves the core as it was, and ends with its time, with a signal or with the loss of the target. */
#include "core.h"

#include "../sources.h"
#include "test.h"

#include <string.h>

#define SECOND UINT64_C(1000000000)

static struct core core;
static struct batches batches;
static struct sampling_plan plan;
static struct sampling_end ended;

static int begin(void **state)
{
	core_init(&core);
	plan = (struct sampling_plan){.sampler = &sampler_pcsr,
	                              .nanoseconds = SECOND,
	                              .rate = 10000,
	                              .seed = 1,
	                              .cancel = -1,
	                              .clock = &core_clock};
	memset(&failure, 0, sizeof failure);
	return batches_begin(&batches, &core_image) ? 0 : -1;
}

static int end(void **state)
{
	batches_free(&batches);
	return 0;
}

static enum status run(void)
{
	return sampling_run(&core.target, &plan, &batches, &ended, &failure);
}

static void run_well(void)
{
	assert_success(run(), &failure);
}

EACH_TEST(begin, end);

TEST(rate_and_time_are_kept)
{
	run_well();
	assert_false(ended.is_cut_short);
	assert_in_range(batches.reads, 9000, 11000);
	assert_in_range(batches.nanoseconds, SECOND, SECOND + SECOND / 50);
	assert_false(ended.is_behind);
	/* The mean of the random lengths. */
	assert_in_range(batches.reads / batches.batches, 14, 18);
}

struct reported {
	uint64_t left, reads;
};

static void on_progress(void *context, uint64_t left, uint64_t reads)
{
	struct reported *last = context;

	assert_true(left < last->left || left == 0);
	assert_true(reads > last->reads);
	*last = (struct reported){left, reads};
}

TEST(progress_is_reported_after_each_batch)
{
	struct reported last = {.left = SECOND};

	plan.progress = on_progress;
	plan.context = &last;
	run_well();
	assert_int_equal(last.left, 0);
	assert_int_equal(last.reads, batches.reads);
}

TEST(probe_is_busy_half_the_time_at_too_high_a_rate)
{
	plan.rate = 10000000;
	run_well();
	double busy = (double)batches.reads * 8000 + (double)batches.batches * 100000;
	assert_in_range((uintmax_t)(100 * busy / (double)batches.nanoseconds), 45, 55);
	assert_true(ended.is_behind);
}

TEST(state_of_the_trace_unit_is_restored)
{
	run_well();
	assert_int_equal(core.demcr, 0x1);
	core.demcr = 0x01000001;
	run_well();
	assert_int_equal(core.demcr, 0x01000001);
}

TEST(halted_core_counts_as_unavailable)
{
	core.is_halted = true;
	run_well();
	assert_int_equal(batches.unavailable, batches.reads);
	assert_int_equal(batches.place_count, 1);
}

TEST(signal_ends_sampling_and_keeps_the_samples)
{
	core.cancels = SECOND / 4;
	run_well();
	assert_true(ended.is_cut_short);
	assert_in_range(batches.reads, 2000, 3000);
	assert_int_equal(core.demcr, 0x1);
}

TEST(loss_of_the_target_is_a_failure)
{
	core.vanishes = SECOND / 2;
	assert_failure(run(), &failure, "core:0: unplugged");
}

TEST(reset_is_a_failure)
{
	core.is_reset = SECOND / 2;
	assert_failure(run(), &failure, "core:0: the target was reset while it was sampled: sample again");
	assert_int_equal(core.demcr, 0x1);
	/* The next run is not affected. */
	run_well();
}

TEST(disabled_trace_unit_is_a_failure)
{
	core.loses_trace = SECOND / 2;
	assert_failure(run(), &failure, "the trace unit of the core is off (DEMCR.TRCENA)");
}

TEST(core_without_dwt_pcsr_is_refused)
{
	core.has_pcsr = false;
	assert_failure(run(), &failure, "has no DWT_PCSR");
	assert_int_equal(core.demcr, 0x1);
}

TEST(other_core_is_refused_and_not_written_to)
{
	core.demcr = 0;
	core.cpuid = 0;
	assert_failure(run(), &failure, "not a Cortex-M (CPUID reads 0x00000000)");
	core.cpuid = UINT32_MAX;
	assert_failure(run(), &failure, "not a Cortex-M (CPUID reads 0xffffffff)");
	assert_int_equal(core.demcr, 0);
}

TEST_WITH(pause_lasts_until_its_end_or_a_signal, NULL, NULL)
{
	const uint64_t pause = 3000000;
	int ends[2];

	open_cancel_pipe(ends);
	uint64_t before = clock_system.nanoseconds();
	assert_true(clock_system.pause_nanoseconds(pause, ends[0]));
	assert_true(clock_system.nanoseconds() - before >= pause);
	cancel_by(ends);
	assert_false(clock_system.pause_nanoseconds(3600 * SECOND, ends[0]));
}
