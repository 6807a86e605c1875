/* SPDX-License-Identifier: MIT */
/*
 * The beta distribution: tails against binomial and Poisson probabilities that are added up one by one, and against
 * Student's density integrated in steps; quantiles against tails.
 */
#include "base/stats/beta.h"
#include "oracle.h"
#include "test.h"

#include <math.h>

#define LENGTH(array) (sizeof(array) / sizeof *(array))

static double tail(double a, double b, double odds)
{
	struct beta beta = beta_prepare(a, b);

	return beta_at(&beta, odds).tail;
}

static double quantile(double a, double b, double chance)
{
	struct beta beta = beta_prepare(a, b);

	return beta_quantile(&beta, chance);
}

static void assert_beta(double value, long double expected, double error, double a, double b)
{
	if (!is_near_relative(value, expected, error))
		fail_msg("a %g, b %g: %.15g, not %.15Lg", a, b, value, expected);
}

/* On both sides of the change of method, for tails from almost 1 to almost 0. */
TEST(tails_match_the_binomial_distribution)
{
	static const unsigned sizes[] = {1, 2, 3, 10, 40, 99, 100, 101, 150, 1000, 4000};

	for (size_t i = 0; i < LENGTH(sizes); i++) {
		for (size_t j = 0; j < LENGTH(sizes); j++) {
			double a = sizes[i], b = sizes[j], deviation = sqrt(1 / a + 1 / b);

			for (double z = -5; z <= 5; z += 0.5) {
				double odds = a / b * exp(z * deviation);

				long double expected = oracle_binomial(sizes[i], sizes[i] + sizes[j] - 1, odds);
				assert_beta(tail(a, b, odds), expected, a < 100 || b < 100 ? 1e-11 : 3e-7, a, b);
			}
		}
	}
}

/* The mean of a Poisson distribution, as the odds of very many trials. */
TEST(tails_of_rare_events_match_the_poisson_distribution)
{
	static const unsigned counts[] = {1, 2, 7, 60, 300, 5000};

	for (size_t i = 0; i < LENGTH(counts); i++) {
		for (double z = -4; z <= 4; z += 0.5) {
			double mean = counts[i] * exp(z / sqrt(counts[i]));

			long double expected = oracle_poisson(counts[i], mean);
			assert_beta(tail(1e24, counts[i], 1e24 / mean), expected, 3e-7, 1e24, counts[i]);
		}
	}
}

TEST(tails_match_students_distribution)
{
	static const double freedoms[] = {1, 2, 3, 4, 9, 30, 400};

	for (size_t i = 0; i < LENGTH(freedoms); i++) {
		for (double t = 0.125; t < 40; t *= 1.5) {
			long double expected = oracle_student(t, freedoms[i]);
			/* Simpson's sum loses its digits to cancellation if the tail is tiny. */
			if (expected > 1e-15L)
				assert_beta(tail(freedoms[i] / 2, 0.5, freedoms[i] / t / t), expected, 1e-9,
				            freedoms[i], t);
		}
	}
}

/* Weighted counts are not whole numbers: I(a, b) = I(a + 1, b) + x^a (1 - x)^b / (a B(a, b)). */
TEST(tails_satisfy_the_recurrence_for_fractions)
{
	static const double sizes[] = {1e-6, 0.01, 0.3, 0.5, 1, 2.5, 12.7, 98.5, 99.5, 140.3, 3000.1};

	for (size_t i = 0; i < LENGTH(sizes); i++) {
		for (size_t j = 2; j < LENGTH(sizes); j++) {
			double a = sizes[i], b = sizes[j];

			for (double odds = a / b / 16; odds < a / b * 16; odds *= 2) {
				long double term = expl(lgammal((long double)a + b) - lgammal(a + 1.0L) - lgammal(b) +
				                        a * logl(odds) - ((long double)a + b) * log1pl(odds));
				double here = tail(a, b, odds), next = tail(a + 1, b, odds);
				if (!(fabsl(here - next - term) <= 2e-7 * fabs(1 - here) + 1e-9))
					fail_msg("a %g, b %g: %g - %g, not %Lg", a, b, here, next, term);
			}
		}
	}
}

TEST(quantile_inverts_the_tail)
{
	static const double sizes[] = {1e-4, 0.01, 0.5, 1, 1.01, 3.5, 20, 99.9, 100, 5000, 1e6, 1e9, 1e15, 1e24};
	static const double chances[] = {1e-100, 1e-9, 0.0005, 0.025, 0.3, 0.5, 0.7, 0.975};

	for (size_t i = 0; i < LENGTH(sizes); i++) {
		for (size_t j = 2; j < LENGTH(sizes); j++) {
			for (size_t k = 0; k < LENGTH(chances); k++) {
				double a = sizes[i], b = sizes[j], odds = quantile(a, b, chances[k]);
				/* Odds are rounded by 1e-16 of their value, which matters if so narrow. */
				double error = 1e-9 + 1e-14 * sqrt(fmin(a, b)) * sqrt(-log(chances[k]));

				if (odds > 0)
					assert_beta(tail(a, b, odds), chances[k], error, a, b);
				else
					assert_true(tail(a, b, 1e-299) > chances[k]);
			}
		}
	}
}

/* If b is 1, the tail is x to the power of a. For small a that is near 1, so rounding errors are large. */
TEST(quantile_is_a_root_if_b_is_1)
{
	for (double a = 1e-7; a < 1000; a *= 3) {
		for (double odds = 1e-4; odds < 1e4; odds *= 2) {
			double chance = pow(odds / (1 + odds), a);

			if (chance > 0 && chance < 1)
				assert_beta(quantile(a, 1, chance), odds, 1e-9 + (1 + odds) * 5e-15 / a, a, 1);
		}
	}
}

TEST(tails_at_the_ends_are_0_and_1)
{
	assert_true(tail(3, 4, 0) == 0);
	assert_true(tail(3, 4, INFINITY) == 1);
	assert_true(tail(300, 400, 5e-324) == 0);
	assert_true(tail(300, 400, 1.7e308) == 1);
	assert_true(tail(3, 4, 5e-324) == 0);
	assert_true(tail(3, 4, 1.7e308) == 1);
}
