/* SPDX-License-Identifier: MIT */
/* Adjusted p-values, checked against the step-up procedure of the paper at each rate. */
#include "base/stats/stats.h"
#include "profile/errors/poisson.h"
#include "test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define COUNT_MAX 40

/* The number of p-values that are at most p. */
static size_t rank_of(const double *p_values, size_t count, double p)
{
	size_t rank = 0;

	for (size_t i = 0; i < count; i++)
		rank += p_values[i] <= p;
	return rank;
}

/* The lowest rate at which the procedure rejects the hypothesis: that of the best p-value not below p. */
static double lowest_rate(const double *p_values, size_t count, size_t tests, double p)
{
	double lowest = INFINITY;

	for (size_t i = 0; i < count; i++) {
		if (p_values[i] >= p)
			lowest = fmin(lowest,
			              p_values[i] * (double)tests / (double)rank_of(p_values, count, p_values[i]));
	}
	return lowest;
}

TEST(adjusted_values_match_the_step_up_procedure)
{
	struct random random = {1};

	for (int turn = 0; turn < 2000; turn++) {
		double p_values[COUNT_MAX] = {0}, adjusted[COUNT_MAX];
		size_t count = (size_t)(random_unit(&random) * COUNT_MAX), tests = 0;

		for (size_t i = 0; i < count; i++) {
			/* Some are equal, some small, and some NAN, which cannot be tested. */
			p_values[i] = pow(floor(random_unit(&random) * 50) / 50, 1 + turn % 5);
			if (random_unit(&random) < 0.2)
				p_values[i] = NAN;
			if (!isnan(p_values[i]))
				tests++;
		}
		memcpy(adjusted, p_values, sizeof adjusted);
		assert_true(stats_adjust(adjusted, count));
		for (size_t i = 0; i < count; i++) {
			double expected = lowest_rate(p_values, count, tests, p_values[i]);

			assert_int_equal(isnan(adjusted[i]), isnan(p_values[i]));
			if (!isnan(p_values[i]) && !(fabs(adjusted[i] - expected) <= 1e-14))
				fail_msg("p %g of %zu: %g, not %g", p_values[i], tests, adjusted[i], expected);
		}
	}
}

TEST(nan_values_are_not_adjusted)
{
	double none[] = {NAN, NAN};

	assert_true(stats_adjust(none, 0));
	assert_true(stats_adjust(none, 2));
	assert_true(isnan(none[0]) && isnan(none[1]));
}

/* Quadratic time would take minutes. */
TEST(many_tests_are_adjusted_quickly)
{
	enum { MANY = 300000 };
	struct random random = {2};
	double *p_values = malloc(MANY * sizeof *p_values);
	size_t discoveries = 0;

	assert_non_null(p_values);
	for (size_t i = 0; i < MANY; i++)
		p_values[i] = random_unit(&random);
	assert_true(stats_adjust(p_values, MANY));
	for (size_t i = 0; i < MANY; i++)
		discoveries += p_values[i] < 0.05;
	assert_int_equal(discoveries, 0);
	free(p_values);
}
