/* SPDX-License-Identifier: MIT */
/* Changes judged by variation between captures, checked against numerical integration of Student's density and against
 * ratios tried one by one. */
#include "base/stats/stats.h"
#include "oracle.h"
#include "profile/errors/poisson.h"
#include "test.h"

#include <math.h>

#define LENGTH(array) (sizeof(array) / sizeof *(array))

/* Captures with this rate; deviation is the standard deviation of one capture's rate. Each has 5 units of work. */
static struct stats_sum of_captures(double rate, double deviation, size_t captures)
{
	double work = 5.0 * (double)captures;

	return (struct stats_sum){rate * work, work, NAN, 1, deviation * deviation * work * 5, captures};
}

static struct stats_change compare(struct stats_sum old, struct stats_sum new, double confidence)
{
	struct stats_change change;

	stats_compare(&old, &new, confidence, &change);
	return change;
}

/* The value that the absolute value of Student's t exceeds with this probability. */
static double student_limit(double chance, double freedom)
{
	double low = 0, high = 1e6;

	for (int i = 0; i < 60; i++) {
		double middle = (low + high) / 2;

		if ((double)oracle_student(middle, freedom) > chance)
			low = middle;
		else
			high = middle;
	}
	return low;
}

TEST(spread_with_equal_work_follows_from_the_variance)
{
	static const double parts[] = {3, 5, 10}, works[] = {2, 2, 2};

	/* One capture has a variance of 13; the sum has three captures. */
	assert_near_relative(stats_spread(parts, works, 3), 39, 1e-15);
}

TEST(spread_is_measured_from_the_common_rate)
{
	static const double parts[] = {3, 5, 10}, works[] = {1, 3, 5};

	/* Two are expected per unit of work: one capture has 1 more, one has 1 less, one is exact. */
	assert_near_relative(stats_spread(parts, works, 3), 3, 1e-15);
}

TEST(proportional_captures_have_no_spread)
{
	struct random random = {1};

	for (int i = 0; i < 2000; i++) {
		double parts[8], works[8], rate = random_unit(&random);

		for (size_t j = 0; j < 8; j++) {
			works[j] = random_unit(&random);
			parts[j] = rate * works[j];
		}
		assert_true(stats_spread(parts, works, 2 + (size_t)i % 7) == 0);
	}
}

/* Times of equal numbers of samples, added up in different orders. */
TEST(rounding_adds_no_spread)
{
	double parts[] = {0, 10, 10}, works[] = {1000, 1000, 1000};

	for (int i = 0; i < 1000; i++)
		parts[0] += 0.01;
	assert_true(parts[0] != parts[1]);
	assert_true(stats_spread(parts, works, 3) == 0);
}

TEST(spread_of_one_capture_is_unknown)
{
	static const double part = 3, work = 1;

	assert_true(isnan(stats_spread(&part, &work, 1)));
	assert_true(isnan(stats_spread(&part, &work, 0)));
}

/* Welch's estimate of degrees of freedom, for old captures that vary by 0.2 and new ones by 0.3. */
static double welch(double old, double new)
{
	double old_part = 0.04 / old, new_part = 0.09 / new, sum = old_part + new_part;

	return sum * sum / (old_part * old_part / (old - 1) + new_part * new_part / (new - 1));
}

TEST(p_matches_students_test)
{
	/* Numbers of captures, and whether these are large and similar enough for Welch's estimate. */
	static const struct {
		size_t old, new;
		bool is_balanced;
	} rows[] = {{2, 2, false},  {3, 3, false},  {4, 4, false},   {4, 5, false}, {2, 10, false},
	            {10, 3, false}, {5, 8, false},  {10, 31, false}, {5, 5, true},  {5, 7, true},
	            {9, 6, true},   {10, 10, true}, {31, 31, true}};

	for (size_t i = 0; i < LENGTH(rows); i++) {
		double old = (double)rows[i].old, new = (double)rows[i].new;
		double deviation = sqrt(0.04 / old + 0.09 / new), fewest = fmin(old, new) - 1;
		double freedom = rows[i].is_balanced ? fmin(welch(old, new), 2 * fewest) : fewest;
		double expected = (double)oracle_student(0.4 / deviation, freedom);

		assert_near_relative(
		        compare(of_captures(3, 0.2, rows[i].old), of_captures(3.4, 0.3, rows[i].new), 0.95).p, expected,
		        1e-9);
		assert_near_relative(
		        compare(of_captures(3.4, 0.3, rows[i].new), of_captures(3, 0.2, rows[i].old), 0.95).p, expected,
		        1e-9);
	}
}

TEST(difference_bounds_match_students_test)
{
	struct stats_change change = compare(of_captures(3, 0.2, 4), of_captures(3.5, 0.3, 6), 0.99);
	double margin = student_limit(0.01, 3) * sqrt(0.04 / 4 + 0.09 / 6);

	assert_near_relative(change.difference_interval.low, 0.5 - margin, 1e-9);
	assert_near_relative(change.difference_interval.high, 0.5 + margin, 1e-9);
}

TEST(value_bounds_match_students_test)
{
	struct stats_sum sum = of_captures(3, 0.2, 4);
	double margin = student_limit(0.05, 3) * 0.2 / sqrt(4);
	struct stats_interval runs, counts, both;

	stats_value_interval(&sum, 0.95, &runs);
	assert_near_relative(runs.low, 3 - margin, 1e-9);
	assert_near_relative(runs.high, 3 + margin, 1e-9);
	for (double noise = 1e-4; noise < 10; noise *= 10) {
		struct stats_sum counted = sum, noisy = sum;

		counted.variance = noisy.variance = noise * sum.sum;
		counted.spread = NAN;
		stats_value_interval(&counted, 0.95, &counts);
		stats_value_interval(&noisy, 0.95, &both);
		assert_true(both.low == fmin(runs.low, counts.low) && both.high == fmax(runs.high, counts.high));
	}
	/* Times are not negative, and equal captures prove nothing. */
	sum = of_captures(3, 10, 4);
	stats_value_interval(&sum, 0.95, &runs);
	assert_true(runs.low == 0);
	sum.spread = 0;
	stats_value_interval(&sum, 0.95, &runs);
	assert_true(isnan(runs.low) && isnan(runs.high));
}

/* A ratio is in the interval if new and ratio times old differ by at most the limit. */
static void assert_contains_fitting_ratios(struct stats_interval interval, double old, double old_variance, double new,
                                           double new_variance, double limit)
{
	assert_true(interval.low >= 0);
	for (double ratio = 0.001; ratio < 1000; ratio *= 1.003) {
		double away = fabs(new - ratio *old) / sqrt(new_variance + ratio * ratio * old_variance);
		bool is_inside = ratio >= interval.low && ratio <= interval.high;

		if (fabs(away / limit - 1) > 1e-6 && is_inside != (away < limit))
			fail_msg("%g against %g: %g is %g away; %g to %g", new, old, ratio, away, interval.low,
			         interval.high);
	}
}

/* Intervals that are bounded, unbounded above, and unbounded. */
TEST(ratio_bounds_match_fiellers_interval)
{
	static const double deviations[] = {0.01, 0.2, 1, 4, 30};
	double limit = student_limit(0.05, 2);

	for (size_t i = 0; i < LENGTH(deviations) * LENGTH(deviations); i++) {
		double old = deviations[i % 5], new = deviations[i / 5];
		struct stats_change change = compare(of_captures(3, old, 3), of_captures(4, new, 7), 0.95);

		assert_contains_fitting_ratios(change.ratio_interval, 3, old * old / 3, 4, new *new / 7, limit);
	}
}

/* The single capture is assumed to vary like those of the other build: in proportion to the assumed ratio, and for
 * differences to the larger rate. */
TEST(single_capture_varies_like_the_other_build)
{
	double limit = student_limit(0.05, 3);
	struct stats_sum one = of_captures(4, 0, 1);

	one.spread = NAN;
	struct stats_change change = compare(of_captures(3, 0.2, 4), one, 0.95);
	double deviation = sqrt(0.04 / 4 + 0.04 * 16 / 9);
	assert_near_relative(change.p, (double)oracle_student(1 / deviation, 3), 1e-9);
	assert_near_relative(change.difference_interval.low, 1 - limit * deviation, 1e-9);
	assert_contains_fitting_ratios(change.ratio_interval, 3, 0.04 / 4 + 0.04, 4, 0, limit);
	change = compare(one, of_captures(3, 0.2, 4), 0.95);
	assert_near_relative(change.p, (double)oracle_student(1 / deviation, 3), 1e-9);
	assert_near_relative(change.difference_interval.high, -1 + limit * deviation, 1e-9);
	assert_contains_fitting_ratios(change.ratio_interval, 4, 0, 3, 0.04 / 4 + 0.04, limit);
	change = compare(of_captures(5, 0.2, 4), one, 0.95);
	assert_near_relative(change.p, (double)oracle_student(1 / sqrt(0.04 / 4 + 0.04), 3), 1e-9);
}

TEST(units_do_not_matter)
{
	struct stats_change change = compare(of_captures(3, 0.2, 4), of_captures(4, 0.3, 3), 0.95);

	for (double unit = 1e-140; unit < 1e141; unit *= 1e28) {
		struct stats_change other =
		        compare(of_captures(3 * unit, 0.2 * unit, 4), of_captures(4 * unit, 0.3 * unit, 3), 0.95);

		assert_near_relative(other.p, change.p, 1e-9);
		assert_near_relative(other.ratio_interval.low, change.ratio_interval.low, 1e-9);
		assert_near_relative(other.ratio_interval.high, change.ratio_interval.high, 1e-9);
	}
}

/* Two captures of 7 samples each are not as exact as they look. */
TEST(equal_captures_prove_nothing)
{
	struct stats_sum old = of_captures(3, 0, 4), new = of_captures(4, 0, 4);
	struct stats_change change = compare(old, new, 0.95);

	assert_true(isnan(change.p) && isnan(change.ratio_interval.low) && !change.is_exact);
	old.variance = old.sum, new.variance = new.sum;
	change = compare(old, new, 0.95);
	old.spread = new.spread = NAN;
	struct stats_change by_counts = compare(old, new, 0.95);
	assert_true(change.p == by_counts.p && change.ratio_interval.low == by_counts.ratio_interval.low);
}

TEST(exact_sums_that_agree_in_all_captures_are_exact)
{
	struct stats_sum old = of_captures(3, 0, 4), new = of_captures(4, 0, 2);

	old.variance = new.variance = 0;
	struct stats_change change = compare(old, new, 0.95);
	assert_true(change.is_exact && isnan(change.p) && change.difference_interval.low == 1);
	new.spread = 3;
	change = compare(old, new, 0.95);
	assert_true(!change.is_exact && change.p > 0 && change.difference_interval.low < 1);
}

TEST(less_certain_source_decides)
{
	struct stats_sum old = of_captures(30, 4, 5), new = of_captures(40, 4, 5);
	struct stats_change runs = compare(old, new, 0.95), counts, both;

	for (double noise = 0.01; noise < 1e4; noise *= 2) {
		struct stats_sum old_counts = old, new_counts = new;

		old_counts.variance = noise * old.sum, new_counts.variance = noise * new.sum;
		both = compare(old_counts, new_counts, 0.95);
		old_counts.spread = new_counts.spread = NAN;
		counts = compare(old_counts, new_counts, 0.95);
		assert_true(both.p == fmax(runs.p, counts.p));
		assert_true(both.ratio_interval.low == fmin(runs.ratio_interval.low, counts.ratio_interval.low));
		assert_true(both.ratio_interval.high == fmax(runs.ratio_interval.high, counts.ratio_interval.high));
		assert_true(both.difference_interval.low <= counts.difference_interval.low);
		assert_true(both.difference_interval.high >= runs.difference_interval.high);
	}
}
