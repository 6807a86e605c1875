/* SPDX-License-Identifier: MIT */
/* Changes judged by counting statistics, checked against summed binomial and Poisson probabilities. */
#include "base/stats/stats.h"
#include "oracle.h"
#include "profile/errors/poisson.h"
#include "test.h"

#include <math.h>

#define LENGTH(array) (sizeof(array) / sizeof *(array))
#define CONFIDENCE    0.95

/* Events of one weight. */
static struct stats_sum counted(double events, double grain, double work)
{
	return (struct stats_sum){events * grain, work, events * grain * grain, grain, NAN, 1};
}

static struct stats_sum exact(double sum, double work)
{
	return (struct stats_sum){sum, work, 0, 0, NAN, 1};
}

static struct stats_change compare(struct stats_sum old, struct stats_sum new)
{
	struct stats_change change;

	stats_compare(&old, &new, CONFIDENCE, &change);
	return change;
}

static const unsigned counts[] = {0, 1, 2, 5, 12, 60, 130, 900};
static const double works[] = {0.02, 0.8, 1, 1.5, 20};

/* Each of x + y events belongs to the new build with odds in proportion to its work. */
TEST(p_is_twice_the_smaller_binomial_tail)
{
	for (size_t i = 1; i < LENGTH(counts) * LENGTH(counts) * LENGTH(works); i++) {
		unsigned x = counts[i % 8], y = counts[i / 8 % 8];
		double work = works[i / 64];

		long double more = oracle_binomial(y, x + y, work), less = 1;
		if (x + y > 0)
			less = oracle_binomial(x, x + y, 1 / work);
		struct stats_change change = compare(counted(x, 3, 7), counted(y, 3, 7 * work));
		assert_near_relative(change.p, fminl(1, 2 * fminl(more, less)), 1e-6);
	}
}

/* Clopper and Pearson: at a bound, the tail from the observed count on is half of 1 - confidence. */
TEST(ratio_bounds_have_tails_of_half_alpha)
{
	for (size_t i = 0; i < LENGTH(counts) * LENGTH(counts); i++) {
		unsigned x = counts[i % 8], y = counts[i / 8];
		struct stats_change change = compare(counted(x, 0.01, 3), counted(y, 0.01, 5));
		double low = change.ratio_interval.low, high = change.ratio_interval.high;

		if (y > 0)
			assert_near_relative((double)oracle_binomial(y, x + y, low * 5 / 3), 0.025L, 1e-6);
		else
			assert_true(low == 0);
		if (x > 0)
			assert_near_relative((double)oracle_binomial(x, x + y, 3 / (high * 5)), 0.025L, 1e-6);
		else
			assert_true(isinf(high));
	}
}

/* The mean for which fewer than count events have this probability, by bisection. */
static double poisson_mean(unsigned count, double chance)
{
	double low = 0, high = 10 * count + 100;

	for (int i = 0; i < 200; i++) {
		double middle = (low + high) / 2;

		if (oracle_poisson(count, middle) > chance)
			low = middle;
		else
			high = middle;
	}
	return low;
}

TEST(difference_bounds_follow_from_poisson_bounds)
{
	static const unsigned few[] = {0, 1, 3, 40, 150};

	for (size_t i = 0; i < LENGTH(few) * LENGTH(few); i++) {
		unsigned x = few[i % 5], y = few[i / 5];
		double old = x / 3.0, new = y / 5.0;
		double old_low = poisson_mean(x, 0.975) / 3, old_high = poisson_mean(x + 1, 0.025) / 3;
		double new_low = poisson_mean(y, 0.975) / 5, new_high = poisson_mean(y + 1, 0.025) / 5;
		struct stats_change change = compare(counted(x, 1, 3), counted(y, 1, 5));
		double low = new - old - hypot(new - (y == 0 ? 0 : new_low), old_high - old);
		double high = new - old + hypot(new_high - new, old - (x == 0 ? 0 : old_low));
		bool is_cut = change.p < 0.05 ? low < 0 && high > 0 : low > 0 || high < 0;

		if (!is_cut) {
			assert_near_relative(change.difference_interval.low, low, 1e-6);
			assert_near_relative(change.difference_interval.high, high, 1e-6);
		}
	}
}

TEST(value_has_poisson_bounds)
{
	struct stats_interval interval;

	for (size_t i = 0; i < 6; i++) {
		struct stats_sum sum = counted(counts[i], 2, 5);

		stats_value_interval(&sum, CONFIDENCE, &interval);
		if (counts[i] == 0)
			assert_true(interval.low == 0);
		else
			assert_near_relative(interval.low, poisson_mean(counts[i], 0.975) * 2 / 5, 1e-6);
		assert_near_relative(interval.high, poisson_mean(counts[i] + 1, 0.025) * 2 / 5, 1e-6);
	}
}

TEST(exact_value_is_a_point_and_needs_work)
{
	struct stats_interval interval;
	struct stats_sum sum = exact(10, 4);

	stats_value_interval(&sum, CONFIDENCE, &interval);
	assert_true(interval.low == 2.5 && interval.high == 2.5);
	sum.variance = NAN;
	stats_value_interval(&sum, CONFIDENCE, &interval);
	assert_true(isnan(interval.low) && isnan(interval.high));
	sum = counted(10, 1, 0);
	stats_value_interval(&sum, CONFIDENCE, &interval);
	assert_true(isnan(interval.low) && isnan(interval.high));
}

/* Poisson's test of one count. */
TEST(count_against_exact_value_matches_poissons_test)
{
	for (size_t i = 0; i < LENGTH(counts); i++) {
		for (double mean = 0.5; mean < 2000; mean *= 1.7) {
			double less = (double)oracle_poisson(counts[i] + 1, mean);
			double more = (double)(1 - oracle_poisson(counts[i], mean));
			double expected = fmin(1, 2 * fmin(less, more));
			struct stats_change change = compare(exact(mean * 2, 8), counted(counts[i], 1, 4));

			assert_true(fabs(change.p - expected) < 1e-7);
			change = compare(counted(counts[i], 1, 4), exact(mean * 2, 8));
			assert_true(fabs(change.p - expected) < 1e-7);
			assert_false(change.is_exact);
		}
	}
}

/* A share of nearly all samples varies by the few that are elsewhere. */
TEST(share_near_one_varies_by_the_remainder)
{
	const double samples = 1e6, rest = 100;
	const struct stats_sum old = {1 - rest / samples, 1, rest / samples / samples, 1 / samples, NAN, 1};
	struct stats_sum new = {1 - 4 * rest / samples, 1, 4 * rest / samples / samples, 1 / samples, NAN, 1};
	struct stats_change change = compare(old, new);

	/* 300 less, with a variance of 500. */
	assert_near_relative(change.difference_interval.low, (-300 - 1.96L * sqrtl(500)) / 1e6L, 0.01);
	assert_near_relative(change.difference_interval.high, (-300 + 1.96L * sqrtl(500)) / 1e6L, 0.01);
	assert_true(change.p < 1e-30);
	new = old;
	assert_true(compare(old, new).p > 0.9);
}

TEST(exact_values_are_compared_exactly)
{
	struct stats_change change = compare(exact(10, 4), exact(30, 8));

	assert_true(change.is_exact && isnan(change.p));
	assert_true(change.old == 2.5 && change.new == 3.75 && change.ratio == 1.5);
	assert_true(change.ratio_interval.low == 1.5 && change.ratio_interval.high == 1.5);
	assert_true(change.difference_interval.low == 1.25 && change.difference_interval.high == 1.25);
	change = compare(exact(0, 4), exact(3, 4));
	assert_true(change.is_exact && isinf(change.ratio) && isinf(change.ratio_interval.low));
	change = compare(exact(0, 4), exact(0, 4));
	assert_true(change.is_exact && isnan(change.ratio) && change.difference_interval.high == 0);
	/* One more in a billion is a change; rounding by another order of addition is not. */
	assert_true(compare(exact(1e9, 1), exact(1e9 + 1, 1)).ratio > 1);
	change = compare(exact(0.1 + 0.2, 1), exact(0.3, 1));
	assert_true(change.ratio == 1 && change.new == 0.1 + 0.2);
	assert_true(change.difference_interval.high == 0);
}

TEST(two_zero_counts_bound_only_the_difference)
{
	struct stats_change change = compare(counted(0, 2, 10), counted(0, 2, 40));

	assert_true(change.p == 1 && isnan(change.ratio) && !change.is_exact);
	assert_true(change.ratio_interval.low == 0 && isinf(change.ratio_interval.high));
	/* The probability of no event is 0.025 if -log(0.025) are expected. */
	assert_near_relative(change.difference_interval.low, -2 * 3.6888794541139363L / 10, 1e-9);
	assert_near_relative(change.difference_interval.high, 2 * 3.6888794541139363L / 40, 1e-9);
}

TEST(unknown_values_are_not_tested)
{
	struct stats_sum unknown = counted(9, 1, 3), known = counted(20, 1, 3), idle = counted(9, 1, 0);

	unknown.variance = NAN;
	struct stats_change change = compare(unknown, known);
	assert_true(change.old == 3 && isnan(change.p) && isnan(change.ratio_interval.low) && !change.is_exact);
	assert_true(isnan(change.difference_interval.high) && fabs(change.ratio - 20.0 / 9) < 1e-15);
	change = compare(known, idle);
	assert_true(isnan(change.new) && isnan(change.ratio) && isnan(change.p) && isnan(change.ratio_interval.high));
	assert_true(change.old == known.sum / known.work && !change.is_exact);
}

/* Scaling all weights scales only the values. */
TEST(units_do_not_matter)
{
	struct stats_change small = compare(counted(40, 1e-9, 3), counted(70, 1e-9, 4));
	struct stats_change large = compare(counted(40, 1e9, 3e12), counted(70, 1e9, 4e12));

	assert_near_relative(small.p, large.p, 1e-12);
	assert_near_relative(small.ratio_interval.low, large.ratio_interval.low, 1e-12);
	assert_near_relative(small.difference_interval.low, large.difference_interval.low * 1e-6L, 1e-12);
}

TEST(tiny_sums_are_compared_like_zero)
{
	const struct stats_sum lowest = {1e-306, 1, 1e-306, 1, NAN, 1};

	for (unsigned events = 1; events < 1000; events *= 5)
		assert_near_relative(compare(lowest, counted(events, 1, 1)).p,
		                     compare(counted(0, 1, 1), counted(events, 1, 1)).p, 1e-9);
}

/* One more event may weigh more than those seen so far. */
TEST(largest_event_bounds_unseen_ones)
{
	struct stats_sum few = {0.2, 1, 0.01, 0.05, NAN, 1}, rare = few;

	rare.grain = 5;
	struct stats_change by_own = compare(counted(50, 1, 1), few), by_grain = compare(counted(50, 1, 1), rare);
	assert_true(by_grain.difference_interval.high > by_own.difference_interval.high + 5);
	assert_true(by_grain.difference_interval.low == by_own.difference_interval.low);
}

/* If events cannot be assigned with certainty, sums vary by more than their largest event. */
TEST(variance_above_that_of_events_is_used)
{
	struct stats_sum doubtful = counted(10, 9, 3);
	struct stats_change change = compare(counted(70, 1, 1), doubtful);

	doubtful.grain = 1;
	struct stats_change same = compare(counted(70, 1, 1), doubtful);
	assert_true(same.p == change.p && same.difference_interval.high == change.difference_interval.high);
}

static double any(struct random *random, double highest)
{
	return exp(random_unit(random) * log(highest));
}

static bool excludes(struct stats_interval interval, double value)
{
	return interval.low > value || interval.high < value;
}

static void assert_dual(struct stats_sum old, struct stats_sum new, double confidence)
{
	struct stats_change change;

	stats_compare(&old, &new, confidence, &change);
	bool is_change = change.p < 1 - confidence;
	if (excludes(change.ratio_interval, 1) != is_change || excludes(change.difference_interval, 0) != is_change)
		fail_msg("%g of %g against %g of %g: p %g, ratio %g to %g, difference %g to %g", new.sum, new.work,
		         old.sum, old.work, change.p, change.ratio_interval.low, change.ratio_interval.high,
		         change.difference_interval.low, change.difference_interval.high);
	assert_false(excludes(change.ratio_interval, change.ratio));
	assert_false(excludes(change.difference_interval, change.new - change.old));
}

TEST(intervals_agree_with_the_test)
{
	struct random random = {3};

	for (int i = 0; i < 20000; i++) {
		double highest = i % 2 == 0 ? 50 : 1e6, events = any(&random, highest);
		struct stats_sum old = counted(i % 3 == 0 ? events : floor(events), any(&random, 10), any(&random, 10));
		struct stats_sum new = counted(events * (0.2 + 2 * random_unit(&random)), any(&random, 10), old.work);

		new.work *= new.grain / old.grain *any(&random, 2);
		if (i % 5 == 0)
			new.variance *= random_unit(&random);
		if (i % 7 == 0)
			old.spread = old.variance * 3 * random_unit(&random), old.captures = 2 + (size_t)i % 9;
		if (i % 11 == 0)
			new.spread = new.variance * 3 * random_unit(&random), new.captures = 2 + (size_t)i % 8;
		assert_dual(old, new, 1 - any(&random, 1e-3) * 0.9);
	}
}

/* Compares the interval of the ratio with the test at a confidence near 1 - p, where both change. */
TEST(test_and_interval_change_at_the_same_confidence)
{
	struct random random = {4};

	for (int i = 0; i < 2000; i++) {
		struct stats_sum old = counted(floor(any(&random, 1e4)), 1, 1);
		struct stats_sum new = counted(floor(old.sum * (0.3 + 2 * random_unit(&random))), 1, 1);
		struct stats_change change = compare(old, new), at;

		if (change.p >= 1 || change.p < 1e-9)
			continue;
		/* Slightly more and slightly less confidence than 1 - p. */
		stats_compare(&old, &new, 1 - change.p * (1 + 1e-4), &at);
		double bound = new.sum > old.sum ? at.ratio_interval.low : at.ratio_interval.high;
		assert_true(fabs(bound - 1) < 1e-3 && bound != 1);
		stats_compare(&old, &new, 1 - change.p * (1 - 1e-4), &at);
		bound = new.sum > old.sum ? at.ratio_interval.low : at.ratio_interval.high;
		assert_true(fabs(bound - 1) < 1e-3);
		/* Here only rounding decides, in the same way for both. */
		assert_dual(old, new, 1 - change.p);
	}
}

static void assert_whole(struct stats_sum old, struct stats_sum new, double confidence)
{
	struct stats_change change;

	stats_compare(&old, &new, confidence, &change);
	if (isnan(change.old) || isnan(change.new)) {
		assert_true(isnan(change.p));
		return;
	}
	const struct stats_interval ratio = change.ratio_interval, difference = change.difference_interval;
	if (change.is_exact ? !isnan(change.p) : !(change.p >= 0 && change.p <= 1 && ratio.low <= ratio.high))
		fail_msg("%g (%g, %g) of %g against %g (%g, %g) of %g: p %g, ratio %g to %g", new.sum, new.variance,
		         new.grain, new.work, old.sum, old.variance, old.grain, old.work, change.p, ratio.low,
		         ratio.high);
	if (!(difference.low <= difference.high))
		fail_msg("%g (%g, %g) of %g against %g (%g, %g) of %g: difference %g to %g", new.sum, new.variance,
		         new.grain, new.work, old.sum, old.variance, old.grain, old.work, difference.low,
		         difference.high);
}

/* Random combinations of extreme values. */
TEST(extreme_values_give_valid_results)
{
	static const double sums[] = {0, 1e-155, 1e-9, 0.5, 1, 99, 1e6, 1e15};
	static const double grains[] = {0, 1e-30, 1e-6, 1, 1e9};
	static const double edges[] = {0, 1e-15, 1, 1e15};
	static const double confidences[] = {1e-6, 0.5, 0.95, 1 - 1e-12};
	struct random random = {5};

	for (int i = 0; i < 60000; i++) {
		struct stats_sum sides[2];

		for (size_t j = 0; j < 2; j++) {
			double sum = sums[(size_t)(random_unit(&random) * 8)];
			double grain = grains[(size_t)(random_unit(&random) * 5)];
			double work = edges[(size_t)(random_unit(&random) * 4)];

			sides[j] = (struct stats_sum){sum, work, sum * grain, grain, NAN, 1};
			if (random_unit(&random) < 0.3 && sum > 0)
				sides[j].variance = pow(10, 60 * random_unit(&random) - 40);
			if (random_unit(&random) < 0.3 && sum > 1e-100) {
				sides[j].spread = sum * sum * pow(10, -40 * random_unit(&random));
				sides[j].captures = 2 + (size_t)i % 20;
			}
		}
		assert_whole(sides[0], sides[1], confidences[i % 4]);
	}
}
