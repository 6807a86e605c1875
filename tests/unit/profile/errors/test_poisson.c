/* SPDX-License-Identifier: MIT */
/* Draws against Poisson's distribution itself, for means on both sides of the change of method. */
#include "profile/errors/poisson.h"
#include "test.h"

#include <math.h>
#include <string.h>

#define DRAWS 200000
#define KINDS 400

static double probability(unsigned k, double mean)
{
	return exp(k * log(mean) - mean - lgamma(k + 1.0));
}

/* Pearson's chi-square over all numbers of which at least 20 are expected, those beyond them as one; returns how many
 * standard deviations it lies from its mean. */
static double misfit(double mean)
{
	static double seen[KINDS + 1];
	struct random random = {1};
	const struct poisson poisson = poisson_prepare(mean);
	double square = 0, rest_seen = DRAWS, rest_expected = DRAWS;
	unsigned kinds = 0;

	memset(seen, 0, sizeof seen);
	for (unsigned i = 0; i < DRAWS; i++)
		seen[(unsigned)fmin(poisson_draw(&poisson, &random), KINDS)]++;
	for (unsigned k = 0; k < KINDS; k++) {
		double expected = DRAWS * probability(k, mean);

		if (expected < 20)
			continue;
		square += (seen[k] - expected) * (seen[k] - expected) / expected;
		rest_seen -= seen[k];
		rest_expected -= expected;
		kinds++;
	}
	/* The rest is too little to be one of them for small means, but it has to be about right. */
	assert_true(fabs(rest_seen - rest_expected) <= 5 * sqrt(fabs(rest_expected) + 1));
	assert_true(kinds > 1);
	return (square - kinds) / sqrt(2 * kinds);
}

TEST(draws_follow_the_distribution)
{
	static const double means[] = {0.01, 0.5, 1, 3.7, 9.99, 10, 10.5, 17, 42, 130, 300};

	for (size_t i = 0; i < sizeof means / sizeof *means; i++) {
		double deviations = misfit(means[i]);

		if (fabs(deviations) > 4)
			fail_msg("mean %g: %g standard deviations off", means[i], deviations);
	}
}

/* Where logarithms of factorials would have no digit left. */
TEST(large_means_keep_mean_and_variance)
{
	static const double means[] = {1e4, 1e9, 1e15, 1e19};

	for (size_t i = 0; i < sizeof means / sizeof *means; i++) {
		struct random random = {2};
		const struct poisson poisson = poisson_prepare(means[i]);
		double sum = 0, square = 0, fourth = 0;

		for (unsigned j = 0; j < DRAWS; j++) {
			double deviation = (poisson_draw(&poisson, &random) - means[i]) / sqrt(means[i]);

			sum += deviation;
			square += deviation * deviation;
			fourth += pow(deviation, 4);
		}
		assert_true(fabs(sum / DRAWS) < 4 / sqrt(DRAWS));
		assert_true(fabs(square / DRAWS - 1) < 4 * sqrt(2.0 / DRAWS));
		assert_true(fabs(fourth / DRAWS - 3) < 4 * sqrt(96.0 / DRAWS));
	}
}

TEST(zero_mean_draws_zero)
{
	struct random random = {3};
	const struct poisson poisson = poisson_prepare(0);

	for (unsigned i = 0; i < 1000; i++)
		assert_true(poisson_draw(&poisson, &random) <= 0);
}

/* The first numbers from state 0, as https://prng.di.unimi.it/splitmix64.c has them, 53 bits of each. */
TEST(random_numbers_match_splitmix64)
{
	struct random random = {0};

	assert_true(random_unit(&random) * 0x1p53 == (double)(UINT64_C(0xE220A8397B1DCDAF) >> 11));
	assert_true(random_unit(&random) * 0x1p53 == (double)(UINT64_C(0x6E789E6AA1B965F4) >> 11));
}
