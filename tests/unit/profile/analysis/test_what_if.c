/* SPDX-License-Identifier: MIT */
/* Predictions with other self times, against profiles of captures that have these self times, and their errors against
 * exact variances. */
#include "firmware.h"
#include "profile/analysis/analysis.h"
#include "profile/analysis/poisson.h"
#include "test.h"

#include <bareprof/block.h>
#include <math.h>
#include <string.h>

#define FUNCTIONS 12u
#define SIZE      16u

static double factors[FUNCTIONS];

static int set_up(void **state)
{
	for (unsigned i = 0; i < FUNCTIONS; i++)
		factors[i] = 1;
	return firmware_set_up(firmware_create("what-if", FUNCTIONS, SIZE));
}

/* Moves all samples and calls without a context to this one. */
static void in_context(uint32_t context)
{
	struct capture_block *block = &fixture.capture->blocks[0];

	block->has_contexts = true;
	for (size_t i = 0; i < block->cell_count; i++)
		if (block->cells[i].context == CAPTURE_NO_CONTEXT)
			block->cells[i].context = context;
	for (size_t i = 0; i < block->arc_count; i++)
		if (block->arcs[i].context == CAPTURE_NO_CONTEXT)
			block->arcs[i].context = context;
}

static const struct analysis_options no_options = {0};

static const struct profile_what_if *predict_of(struct profile *profile)
{
	struct error error = {.message = ""};

	assert_int_equal(analysis_what_if(profile, factors, &no_options, &error), STATUS_OK);
	return profile->what_if;
}

static const struct profile_what_if *predict(void)
{
	return predict_of(firmware_run(&no_options));
}

static void assert_near(double found, double expected)
{
	if (!(fabs(found - expected) <= 1e-9 * (1 + fabs(expected))))
		fail_msg("%.12g, expected %.12g", found, expected);
}

EACH_TEST(set_up, firmware_tear_down);

/* --- Times. */

TEST(busy_time_follows_the_factor)
{
	firmware_samples(1, 300);
	firmware_samples(2, 100);
	factors[1] = 0.5;
	const struct profile_what_if *what_if = predict();
	assert_near(what_if->time, 4);
	assert_near(what_if->time_then, 2.5);
	assert_near(what_if->change, -0.375);
	assert_near(what_if->factors[1], 0.5);
	assert_near(what_if->node_totals[1], 1.5);
	assert_near(what_if->node_totals[2], 1);
}

/* f0 calls f1, f1 and f2 call each other, f2 and f4 call f3. */
TEST(callers_and_cycles_inherit_the_change)
{
	firmware_calls(0, 1, 1);
	firmware_calls(1, 2, 4);
	firmware_calls(2, 1, 3);
	firmware_calls(2, 3, 30);
	firmware_calls(4, 3, 10);
	firmware_samples(1, 100);
	firmware_samples(2, 200);
	firmware_samples(3, 400);
	factors[2] = 2;
	factors[3] = 0;
	const struct profile_what_if *what_if = predict();
	assert_near(what_if->node_totals[0], 5);
	assert_near(what_if->node_totals[1], 1);
	assert_near(what_if->node_totals[2], 4);
	assert_near(what_if->node_totals[3], 0);
	assert_near(what_if->node_totals[4], 0);
	assert_near(what_if->cycle_totals[0], 5);
	assert_near(what_if->time_then, 5);
}

TEST(factor_of_one_changes_nothing)
{
	firmware_samples(1, 300);
	firmware_samples(2, 100);
	const struct profile_what_if *what_if = predict();
	assert_true(what_if->change >= 0 && what_if->change <= 0);
	assert_true(what_if->change_variance <= 0);
}

TEST(profile_without_samples_has_no_change)
{
	firmware_calls(0, 1, 1);
	factors[1] = 0.5;
	const struct profile_what_if *what_if = predict();
	assert_true(what_if->change >= 0 && what_if->change <= 0);
	assert_true(what_if->change_variance <= 0);
}

static unsigned below(struct random *random, unsigned bound)
{
	return (unsigned)(random_unit(random) * bound);
}

/* Times are linear in samples: twice as many of them in a function are a factor of 2. Every other graph has contexts,
 * in which the calls of a function differ. */
TEST(prediction_is_the_profile_of_scaled_samples)
{
	struct random random = {7};

	for (unsigned graph = 0; graph < 40; graph++) {
		struct capture_block *block = &fixture.capture->blocks[0];

		block->cell_count = block->arc_count = 0;
		for (uint32_t context = 1; context <= 1 + graph % 2; context++) {
			for (unsigned i = 0; i < 2 * FUNCTIONS; i++)
				firmware_calls(below(&random, FUNCTIONS), below(&random, FUNCTIONS),
				               1 + below(&random, 20));
			for (unsigned i = 0; i < FUNCTIONS; i++)
				firmware_samples(i, below(&random, 500));
			in_context(context);
		}
		for (unsigned i = 0; i < FUNCTIONS; i++)
			factors[i] = below(&random, 4);
		const struct profile_what_if *what_if = predict();
		for (size_t i = 0; i < block->cell_count; i++)
			block->cells[i].count *= (uint64_t)factors[(block->cells[i].low - FIRMWARE_BASE) / SIZE];
		struct profile *scaled = firmware_run(&no_options);
		assert_int_equal(scaled->context_count, graph % 2 == 0 ? 0 : 2);
		assert_near(what_if->time_then, scaled->total_time);
		for (unsigned i = 0; i < FUNCTIONS; i++)
			assert_near(what_if->node_totals[i], profile_node_total(&scaled->nodes[i]));
		for (size_t i = 0; i < scaled->cycle_count; i++)
			assert_near(what_if->cycle_totals[i],
			            scaled->cycles[i].self_time + scaled->cycles[i].child_time);
	}
}

/* Samples that a probe took of a sleeping core: the firmware was not busy. */
TEST(sleep_is_not_busy_time)
{
	firmware_samples(1, 100);
	firmware_samples(2, 100);
	firmware_sample(fixture.capture, BAREPROF_PC_UNAVAILABLE, UINT64_C(0x100000000), 900);
	factors[1] = 0;
	const struct profile_what_if *what_if = predict();
	assert_near(what_if->time, 2);
	assert_near(what_if->change, -0.5);
	assert_near(what_if->change_variance, 0.25 / 200);
}

/* The sampling interrupt costs 2 of every 10 units. */
TEST(recorder_is_not_busy_time)
{
	firmware_samples(1, 100);
	firmware_samples(2, 100);
	fixture.capture->blocks[0].has_tick_cost = true;
	fixture.capture->blocks[0].tick_cost = 2 * fixture.capture->blocks[0].header.ticks;
	factors[1] = 0;
	const struct profile_what_if *what_if = predict();
	assert_near(what_if->time, 1.6);
	assert_near(what_if->time_then, 0.8);
}

TEST(several_cores_are_refused)
{
	struct capture *other = firmware_capture(1, 1);
	const struct capture *captures[] = {fixture.capture, other};
	struct error error = {.message = ""};

	other->blocks[0].header.core = 1;
	struct profile *profile = firmware_run_captures(captures, 2, &no_options);
	assert_int_equal(analysis_what_if(profile, factors, &no_options, &error), STATUS_FAILED);
	assert_int_equal(error.hint, HINT_SELECT_CORE);
	assert_null(profile->what_if);
	capture_close(other);
}

/* --- Errors. */

TEST(error_of_one_function_is_binomial)
{
	firmware_samples(1, 300);
	firmware_samples(2, 700);
	factors[1] = 0.25;
	assert_near(predict()->change_variance, 0.75 * 0.75 * 0.3 * 0.7 / 1000);
}

/* Shares of a whole are negatively correlated: var = (sum of a^2 p - (sum of a p)^2) / n. */
TEST(error_of_several_functions_is_multinomial)
{
	firmware_samples(1, 300);
	firmware_samples(2, 500);
	firmware_samples(3, 200);
	factors[1] = 0.5;
	factors[2] = 0;
	factors[3] = 3;
	double first = -0.5 * 0.3 - 0.5 + 2 * 0.2, second = 0.25 * 0.3 + 0.5 + 4 * 0.2;
	const struct profile_what_if *what_if = predict();
	assert_near(what_if->change, first);
	assert_near(what_if->change_variance, (second - first * first) / 1000);
}

/* All of them are twice as fast, so it does not matter which of them ran. */
TEST(same_factor_for_all_functions_has_no_error)
{
	firmware_samples(1, 300);
	firmware_sample(fixture.capture, firmware_start_of(2), firmware_start_of(4), 400);
	for (unsigned i = 0; i < FUNCTIONS; i++)
		factors[i] = 0.5;
	const struct profile_what_if *what_if = predict();
	assert_near(what_if->change, -0.5);
	assert_true(what_if->change_variance < 1e-12);
}

/* 100 samples of 0.1 s and 1,000 of 0.01 s. */
TEST(error_respects_the_lengths_of_samples)
{
	struct capture *slow = firmware_capture(1, 1);
	const struct capture *captures[] = {fixture.capture, slow};

	slow->blocks[0].header.period = 100;
	firmware_sample(slow, firmware_start_of(1), firmware_start_of(1) + SIZE, 100);
	firmware_samples(2, 1000);
	factors[1] = 0;
	const struct profile_what_if *what_if = predict_of(firmware_run_captures(captures, 2, &no_options));
	assert_near(what_if->change, -0.5);
	assert_near(what_if->change_variance, (0.25 * 100 * 0.01 + 0.25 * 1000 * 0.0001) / 400);
	capture_close(slow);
}

/* f1 and f2 share a bin, both are called; variances as in test_errors.c. */
TEST(doubt_about_a_shared_bin_counts_in_full_for_one)
{
	firmware_calls(0, 1, 1);
	firmware_calls(0, 2, 1);
	firmware_sample(fixture.capture, firmware_start_of(1), firmware_start_of(3), 400);
	firmware_samples(3, 400);
	factors[1] = 0;
	double doubt = (400.0 * 400 / 2 - 400) / 4;
	assert_near(predict()->change_variance, (800 * 0.25 * 0.75 + doubt) / (800.0 * 800));
}

TEST(doubt_about_a_shared_bin_does_not_count_for_all)
{
	firmware_calls(0, 1, 1);
	firmware_calls(0, 2, 1);
	firmware_sample(fixture.capture, firmware_start_of(1), firmware_start_of(3), 400);
	firmware_samples(3, 400);
	factors[1] = factors[2] = 0;
	assert_near(predict()->change_variance, 0.5 * 0.5 / 800);
}

/* Nothing but the bin says that f1 ran at all: the error includes no change. */
TEST(error_of_an_only_shared_function_includes_zero)
{
	firmware_calls(0, 2, 1);
	firmware_sample(fixture.capture, firmware_start_of(1), firmware_start_of(3), 400);
	firmware_samples(3, 400);
	factors[1] = 0;
	struct profile *profile = firmware_run(&no_options);
	assert_true(profile->nodes[1].is_only_shared);
	const struct profile_what_if *what_if = predict_of(profile);
	assert_true(1.96 * sqrt(what_if->change_variance) > -what_if->change);
}

/* --- Does the interval hold the truth as often as it should? */

#define RUNS 2000u

/* With 95 % confidence, 1,900 +/- 9.7 intervals hold the truth: four standard deviations are allowed. */
TEST(interval_holds_the_truth_19_times_of_20)
{
	const unsigned means[] = {400, 250, 100, 50, 1200};
	double all = 0, truth = 0;
	struct random random = {11};
	unsigned hits = 0;

	factors[0] = 0.5;
	factors[1] = 2;
	factors[2] = 0;
	for (unsigned i = 0; i < 5; i++) {
		all += means[i];
		truth += means[i] * (factors[i] - 1);
	}
	for (unsigned run = 0; run < RUNS; run++) {
		fixture.capture->blocks[0].cell_count = 0;
		for (unsigned i = 0; i < 5; i++) {
			const struct poisson poisson = poisson_prepare(means[i]);

			firmware_samples(i, (uint64_t)poisson_draw(&poisson, &random));
		}
		const struct profile_what_if *what_if = predict();
		hits += fabs(what_if->change - truth / all) < 1.959964 * sqrt(what_if->change_variance);
	}
	if (hits < 1861 || hits > 1939)
		fail_msg("%u of %u", hits, RUNS);
}
