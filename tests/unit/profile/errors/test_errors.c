/* SPDX-License-Identifier: MIT */
/*
 * Errors of total times against exact variances. Times are linear in the samples, so that the total of a function is a
 * sum over all functions of a coefficient times their samples: the exact variance is the sum of the squares of these
 * times the variances of the samples, and coefficients are read off profiles with one sample each.
 */
#include "../firmware.h"
#include "profile/analysis.h"
#include "profile/errors/poisson.h"
#include "profile/split.h"
#include "test.h"

#include <math.h>

#define FUNCTIONS 16u
#define SIZE      16u

/* A variance out of 200 draws has a relative standard deviation of a tenth. */
#define ONE_DEVIATION 0.1

static int set_up(void **state)
{
	return firmware_set_up(firmware_create("errors", FUNCTIONS, SIZE));
}

static void forget_samples(void)
{
	fixture.capture->blocks[0].cell_count = 0;
}

static const struct analysis_options with_errors = {.total_errors = true};

static struct profile *analyse(void)
{
	return firmware_run(&with_errors);
}

/* In squares of samples, of 0.01 s each. */
static double variance_of(const struct profile *profile, unsigned function)
{
	return profile->nodes[function].total_variance * 1e4;
}

static void assert_variance(double found, double exact)
{
	if (!(fabs(found / exact - 1) < 3 * ONE_DEVIATION))
		fail_msg("a variance of %g samples, exactly it is %g", found, exact);
}

EACH_TEST(set_up, NULL);

/* f0 calls f1 to f8, each of them f9. All time of f9 arrives at f0 again, with the whole error of f9 and not with that
 * of eight independent eighths, which is the sum of variances along arcs. */
TEST(rejoining_paths_are_correlated)
{
	for (unsigned i = 1; i <= 8; i++) {
		firmware_calls(0, i, 1);
		firmware_calls(i, 9, 5);
	}
	firmware_samples(0, 100);
	firmware_samples(9, 40000);
	struct profile *profile = analyse();
	double arcwise = 100 + 8 * 40000.0 / 64;
	assert_variance(variance_of(profile, 0), 40100);
	assert_variance(variance_of(profile, 1), 40000.0 / 64);
	assert_true(arcwise < variance_of(profile, 0) / 4);
}

/* Nothing is estimated where there is nothing to estimate. */
TEST(leaf_function_has_the_error_of_its_self_time)
{
	firmware_calls(0, 1, 1);
	firmware_samples(1, 77);
	struct profile *profile = analyse();
	assert_near(variance_of(profile, 1), 77);
	assert_true(variance_of(profile, 2) <= 0);
}

TEST(error_is_constant_along_a_chain)
{
	for (unsigned i = 0; i + 1 < FUNCTIONS; i++)
		firmware_calls(i, i + 1, 3);
	firmware_samples(FUNCTIONS - 1, 900);
	struct profile *profile = analyse();
	for (unsigned i = 0; i + 2 < FUNCTIONS; i++)
		assert_near(variance_of(profile, i) / variance_of(profile, i + 1), 1);
	assert_variance(variance_of(profile, 0), 900);
}

/* f0 calls f1, f1 and f2 call each other, f2 calls f3. */
TEST(cycle_has_the_error_of_its_members_sum)
{
	firmware_calls(0, 1, 1);
	firmware_calls(1, 2, 4);
	firmware_calls(2, 1, 3);
	firmware_calls(2, 3, 10);
	firmware_samples(1, 100);
	firmware_samples(2, 200);
	firmware_samples(3, 300);
	struct profile *profile = analyse();
	assert_int_equal(profile->cycle_count, 1);
	assert_variance(profile->cycles[0].total_variance * 1e4, 600);
	assert_variance(variance_of(profile, 0), 600);
	assert_variance(variance_of(profile, 2), 500);
	assert_near(variance_of(profile, 1), 100);
}

/* f1 and f2 share a bin: which of them ran is in doubt, that it was one of the two is not. */
TEST(callers_of_both_are_certain_of_a_shared_bin)
{
	firmware_calls(0, 1, 1);
	firmware_calls(0, 2, 1);
	firmware_calls(3, 2, 3);
	firmware_sample(fixture.capture, firmware_start_of(1), firmware_start_of(3), 400);
	struct profile *profile = analyse();
	/* f1 and f2 cover half of the bin each; of f2 a quarter is for f0. */
	double coefficient = 0.5 + 0.5 * 0.25, doubt = (400.0 * 400 / 2 - 400) / 4;
	assert_variance(variance_of(profile, 3), 9.0 / 16 * (200 + doubt));
	assert_variance(variance_of(profile, 0), 400 * coefficient * coefficient + doubt * 9 / 16);
	assert_true(fabs(variance_of(profile, 1) - (200 + doubt)) < 1e-6);
}

TEST(without_samples_there_is_no_error)
{
	firmware_calls(0, 1, 1);
	struct profile *profile = analyse();
	for (unsigned i = 0; i < FUNCTIONS; i++)
		assert_true(profile->nodes[i].total_variance <= 0);
}

TEST(without_a_clock_errors_are_in_samples)
{
	firmware_calls(0, 1, 1);
	firmware_samples(1, 500);
	fixture.capture->blocks[0].header.clock_hz = 0;
	struct profile *profile = analyse();
	assert_variance(profile->nodes[0].total_variance, 500);
}

/* With another capture at a tenth of the rate: 100 samples of 0.1 s in f1. */
static struct profile *analyse_with_slow_capture(void)
{
	struct capture *slow = firmware_capture(1, 1);
	const struct capture *captures[] = {fixture.capture, slow};

	slow->blocks[0].header.period = 100;
	firmware_sample(slow, firmware_start_of(1), firmware_start_of(1) + SIZE, 100);
	return firmware_run_captures(captures, 2, &with_errors);
}

/* 100 samples of 0.1 s weigh more than 1,000 of 0.01 s. */
TEST(samples_of_several_rates_keep_their_lengths)
{
	firmware_calls(0, 1, 1);
	firmware_samples(1, 1000);
	struct profile *profile = analyse_with_slow_capture();
	assert_variance(variance_of(profile, 0), 1000 + 100 * 100);
}

TEST(parts_have_errors_of_their_own)
{
	firmware_calls(0, 1, 1);
	firmware_samples(1, 800);
	fixture.capture->blocks[0].cells[0].context = 3;
	fixture.capture->blocks[0].arcs[0].context = 3;
	firmware_samples(1, 200);
	struct profile *profile = analyse();
	assert_success(analysis_split(profile, ANALYSIS_BY_CONTEXT, &with_errors, &failure), &failure);
	assert_int_equal(profile->part_count, 2);
	assert_true(profile->parts[0].profile->has_total_variance);
	assert_variance(variance_of(profile, 0), 1000);
	assert_variance(variance_of(profile->parts[0].profile, 0), 800);
}

/* The bins of gmon.out are not kept. */
TEST(histograms_also_have_errors)
{
	uint64_t bins[FUNCTIONS] = {[3] = 640, [5] = 360};
	struct gmon_histogram histogram = {
	        .low = FIRMWARE_BASE,
	        .high = firmware_start_of(FUNCTIONS),
	        .bins = bins,
	        .bin_count = FUNCTIONS,
	};
	struct gmon_arc arc = {firmware_start_of(0) + 4, firmware_start_of(3), 7};
	const struct gmon gmon = {.histograms = &histogram, .histogram_count = 1, .arcs = &arc, .arc_count = 1};
	struct profile *profile = firmware_run_gmon(fixture.image, &gmon, &with_errors);

	assert_variance(profile->nodes[0].total_variance, 640);
	assert_variance(profile->nodes[0].share_variance, 640 * 0.36);
	assert_true(fabs(profile->nodes[5].share_variance - 360 * 0.64) < 1e-9);
}

/* --- Errors of parts of all time. */

/* In squares of samples, of 0.01 s each. */
static double share_variance_of(const struct profile *profile, unsigned function)
{
	return profile->nodes[function].share_variance * 1e4;
}

/* f0 calls f1, and that f2. f0 always has all of the time. */
TEST(shares_along_a_chain_follow_the_binomial_distribution)
{
	firmware_calls(0, 1, 7);
	firmware_calls(1, 2, 7);
	firmware_samples(0, 100);
	firmware_samples(1, 200);
	firmware_samples(2, 700);
	struct profile *profile = analyse();
	assert_true(share_variance_of(profile, 0) < 1e-9);
	assert_variance(share_variance_of(profile, 1), 900 * 0.1);
	assert_near(share_variance_of(profile, 2), 700 * 0.3);
	assert_true(share_variance_of(profile, 3) <= 0);
}

/* f0 calls f1 and f2, and both call f3: f1 makes a quarter of those calls. */
TEST(shares_of_a_diamond_are_correlated)
{
	firmware_calls(0, 1, 1);
	firmware_calls(0, 2, 1);
	firmware_calls(1, 3, 25);
	firmware_calls(2, 3, 75);
	firmware_samples(0, 1000);
	firmware_samples(1, 500);
	firmware_samples(2, 700);
	firmware_samples(3, 2000);
	firmware_samples(4, 800);
	struct profile *profile = analyse();
	/* f1 has 500 and a quarter of 2,000 of the 5,000 samples, f0 all but 800. */
	double part = 0.2, f3 = 0.25 - part;
	assert_variance(share_variance_of(profile, 1),
	                500 * (1 - part) * (1 - part) + 2000 * f3 * f3 + 2500 * part * part);
	assert_variance(share_variance_of(profile, 0), 4200 * 0.16);
	assert_near(share_variance_of(profile, 4), 800 * 0.84);
	assert_near(share_variance_of(profile, 3), 2000 * 0.6);
}

/* The samples of the bin are in f1 or in f2: all time is the same. */
TEST(shares_have_the_full_uncertainty_of_a_shared_bin)
{
	firmware_sample(fixture.capture, firmware_start_of(1), firmware_start_of(3), 400);
	firmware_samples(5, 400);
	firmware_calls(0, 1, 1);
	struct profile *profile = analyse();
	double part = 200.0 / 800, counting = 200 * (1 - part) * (1 - part) + 600 * part * part;
	assert_true(fabs(share_variance_of(profile, 1) - (counting + (400.0 * 400 / 2 - 400) / 4)) < 1e-6);
}

/* 100 samples of 0.1 s and 1,000 of 0.01 s are as much time, and not as sure. */
TEST(shares_of_several_rates_keep_their_lengths)
{
	firmware_calls(0, 1, 1);
	firmware_samples(2, 1000);
	struct profile *profile = analyse_with_slow_capture();
	double exact = (100 * 100 + 1000) * 0.25;
	assert_true(fabs(share_variance_of(profile, 1) - exact) < 1e-6);
	assert_true(fabs(share_variance_of(profile, 2) - exact) < 1e-6);
	assert_variance(share_variance_of(profile, 0), exact);
}

/* --- Random graphs. */

static unsigned below(struct random *random, unsigned bound)
{
	return (unsigned)(random_unit(random) * bound);
}

static void random_calls(struct random *random)
{
	fixture.capture->blocks[0].arc_count = 0;
	for (unsigned i = 0; i < 2 * FUNCTIONS; i++)
		firmware_calls(below(random, FUNCTIONS), below(random, FUNCTIONS), 1 + below(random, 20));
}

/* coefficients[i][j]: the time of f_i for a sample of f_j, in samples. */
static void find_coefficients(double coefficients[FUNCTIONS][FUNCTIONS])
{
	for (unsigned j = 0; j < FUNCTIONS; j++) {
		forget_samples();
		firmware_samples(j, 1);
		struct profile *profile = analyse();
		for (unsigned i = 0; i < FUNCTIONS; i++)
			coefficients[i][j] = profile_node_total(&profile->nodes[i]) * 100;
	}
	forget_samples();
}

TEST(variances_of_random_graphs_are_right)
{
	struct random random = {4};
	double deviations = 0;
	unsigned count = 0;

	for (unsigned graph = 0; graph < 40; graph++) {
		double coefficients[FUNCTIONS][FUNCTIONS], counts[FUNCTIONS];

		random_calls(&random);
		find_coefficients(coefficients);
		for (unsigned i = 0; i < FUNCTIONS; i++)
			firmware_samples(i, (uint64_t)(counts[i] = below(&random, 2000)));
		struct profile *profile = analyse();
		for (unsigned i = 0; i < FUNCTIONS; i++) {
			double exact = 0;

			for (unsigned j = 0; j < FUNCTIONS; j++)
				exact += coefficients[i][j] * coefficients[i][j] * counts[j];
			if (!(profile->nodes[i].child_time > 0))
				continue;
			double deviation = (variance_of(profile, i) / exact - 1) / ONE_DEVIATION;
			assert_true(fabs(deviation) < 5);
			deviations += deviation * deviation;
			count++;
		}
	}
	/* Within one graph they are not independent, so this bound is not sharp. */
	assert_true(count > 200);
	assert_true(deviations / count > 0.7 && deviations / count < 1.4);
}

TEST(the_same_profile_has_the_same_errors)
{
	struct random random = {5};

	random_calls(&random);
	for (unsigned i = 0; i < FUNCTIONS; i++)
		firmware_samples(i, below(&random, 300));
	firmware_sample(fixture.capture, firmware_start_of(1) + 4, firmware_start_of(3) + 4, 50);
	struct profile *first = analyse(), *second = analyse();
	for (unsigned i = 0; i < FUNCTIONS; i++)
		assert_memory_equal(&first->nodes[i].total_variance, &second->nodes[i].total_variance, sizeof(double));
}

/* --- Does the truth lie within two deviations as often as it should? */

#define RUNS 1000u

/* The probability of at most hits of RUNS. */
static double probability_up_to(unsigned hits, double probability)
{
	double sum = 0;

	for (unsigned i = 0; i <= hits; i++)
		sum += exp(lgamma(RUNS + 1.0) - lgamma(i + 1.0) - lgamma(RUNS - i + 1.0) + i * log(probability) +
		           (RUNS - i) * log1p(-probability));
	return sum;
}

TEST(truth_is_within_two_deviations_19_times_of_20)
{
	struct random random = {6};
	double coefficients[FUNCTIONS][FUNCTIONS], truth = 0;
	unsigned hits = 0;

	for (unsigned i = 1; i <= 4; i++) {
		firmware_calls(0, i, 1);
		firmware_calls(i, 5, i);
		firmware_calls(6, i, 1);
	}
	find_coefficients(coefficients);
	for (unsigned j = 0; j < FUNCTIONS; j++)
		truth += coefficients[0][j] * (50 + 40 * j);
	for (unsigned run = 0; run < RUNS; run++) {
		forget_samples();
		for (unsigned j = 0; j < FUNCTIONS; j++) {
			const struct poisson poisson = poisson_prepare(50 + 40 * j);

			firmware_samples(j, (uint64_t)poisson_draw(&poisson, &random));
		}
		struct profile *profile = analyse();
		double total = profile_node_total(&profile->nodes[0]) * 100;
		hits += fabs(total - truth) < 2 * sqrt(variance_of(profile, 0));
	}
	/* Two standard deviations hold 95.45 % of a normal distribution. */
	if (probability_up_to(hits, 0.9545) < 0.001 || 1 - probability_up_to(hits - 1, 0.9545) < 0.001)
		fail_msg("%u of %u", hits, RUNS);
}
