/* SPDX-License-Identifier: MIT */
/*
 * Coverage of intervals and false alarms of tests, by captures drawn from known distributions: intervals contain the
 * true value, and false alarms stay within 1 - confidence plus three standard deviations of the number of trials. The
 * same on every run. With the variable COVERAGE set, prints the rates, a table of docs/DIFF.md.
 */
#include "base/stats/stats.h"
#include "profile/errors/poisson.h"
#include "test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define LENGTH(array) (sizeof(array) / sizeof *(array))
#define ALPHA         0.05
#define RATIO         1.3 /* of the rates, where there is a change */
#define CAPTURES_MAX  10

/* One build's captures, each of one unit of work. */
struct build {
	size_t captures;
	double mean;      /* number of events in each */
	double weight;    /* of half of the events; the other half weigh a third of it */
	double variation; /* between runs, relative to the mean */
};

struct rates {
	unsigned trials;
	unsigned ratio_misses, difference_misses, alarms;
};

/* Irwin and Hall: a sum of twelve is nearly normal. */
static double draw_normal(struct random *random)
{
	double sum = -6;

	for (int i = 0; i < 12; i++)
		sum += random_unit(random);
	return sum;
}

static double draw_events(double mean, struct random *random)
{
	struct poisson poisson = poisson_prepare(mean);

	return poisson_draw(&poisson, random);
}

static struct stats_sum draw(const struct build *build, double factor, struct random *random)
{
	double parts[CAPTURES_MAX], works[CAPTURES_MAX];
	struct stats_sum sum = {.grain = build->weight, .captures = build->captures};

	for (size_t i = 0; i < build->captures; i++) {
		double mean = factor * build->mean * fmax(0, 1 + build->variation * draw_normal(random));
		double heavy = draw_events(mean / 2, random), light = draw_events(mean / 2, random);

		parts[i] = build->weight * (heavy + light / 3);
		works[i] = 1;
		sum.sum += parts[i];
		sum.variance += build->weight * build->weight * (heavy + light / 9);
		sum.work += works[i];
	}
	sum.spread = stats_spread(parts, works, build->captures);
	return sum;
}

static bool holds(struct stats_interval interval, double value)
{
	return interval.low <= value && value <= interval.high;
}

static struct rates try_builds(const struct build *old, const struct build *new, unsigned trials)
{
	struct rates rates = {.trials = trials};
	struct random random = {7};
	double rate = old->mean * old->weight * (1 + 1 / 3.0) / 2;

	for (unsigned i = 0; i < trials; i++) {
		struct stats_change change;
		struct stats_sum sums[] = {draw(old, 1, &random), draw(new, 1, &random), draw(new, RATIO, &random)};
		/* The same rate with different amounts of work. */
		double work = old->mean / new->mean * old->weight / new->weight;

		sums[1].work /= work, sums[2].work /= work;
		stats_compare(&sums[0], &sums[1], 1 - ALPHA, &change);
		rates.alarms += change.p < ALPHA ? 1 : 0;
		stats_compare(&sums[0], &sums[2], 1 - ALPHA, &change);
		rates.ratio_misses += holds(change.ratio_interval, RATIO) ? 0 : 1;
		rates.difference_misses += holds(change.difference_interval, (RATIO - 1) * rate) ? 0 : 1;
	}
	return rates;
}

static void assert_rates(const struct build *old, const struct build *new, unsigned trials)
{
	struct rates rates = try_builds(old, new, trials);
	double highest = trials * ALPHA + 3 * sqrt(trials * ALPHA * (1 - ALPHA));

	if (getenv("COVERAGE") != NULL)
		printf("# %zu of %g +- %g %%, %zu of %g +- %g %%: missed %.2f %% (ratio), %.2f %% (difference), "
		       "false alarms %.2f %%\n",
		       old->captures, old->mean, 100 * old->variation, new->captures, new->mean, 100 * new->variation,
		       100.0 * rates.ratio_misses / trials, 100.0 * rates.difference_misses / trials,
		       100.0 * rates.alarms / trials);
	if (rates.ratio_misses > highest || rates.difference_misses > highest || rates.alarms > highest)
		fail_msg(
		        "%zu captures of %g events +- %g, %zu of %g +- %g: of %u, %u ratios and %u differences missed, "
		        "%u false alarms",
		        old->captures, old->mean, old->variation, new->captures, new->mean, new->variation, trials,
		        rates.ratio_misses, rates.difference_misses, rates.alarms);
	/* The test is not so conservative that it never gives a false alarm. */
	if (old->captures == 1 && new->captures == 1 && old->mean >= 10 && new->mean >= 10)
		assert_true(rates.alarms > trials * ALPHA / 4);
}

TEST(single_captures_have_the_stated_coverage)
{
	static const double means[] = {0.1, 1, 4, 30, 1000, 100000};

	for (size_t i = 0; i < LENGTH(means) * LENGTH(means); i++) {
		struct build old = {1, means[i % 6], 1, 0}, new = {1, means[i / 6], 0.7, 0};

		assert_rates(&old, &new, 4000);
	}
}

TEST(varying_captures_have_the_stated_coverage)
{
	static const size_t captures[][2] = {{2, 2}, {2, 3}, {10, 2}, {3, 3}, {5, 4}, {10, 10}, {6, 1}, {1, 3}};
	static const double variations[] = {0, 0.03, 0.2}, means[] = {3, 100, 10000};

	for (size_t i = 0; i < LENGTH(captures) * 27; i++) {
		struct build old = {captures[i / 27][0], means[i / 9 % 3], 1, variations[i / 3 % 3]};
		struct build new = {captures[i / 27][1], means[i / 9 % 3], 1, variations[i % 3]};

		/* The variation of a single capture is unknown; it is taken to be that of the other build. */
		if ((old.captures > 1 && new.captures > 1) || old.variation == new.variation)
			assert_rates(&old, &new, 1500);
	}
}

/* Variation between captures matters: counting statistics alone would miss it. */
TEST(counting_alone_would_give_false_alarms)
{
	const struct build build = {5, 10000, 1, 0.05};
	struct random random = {8};
	unsigned alarms = 0, all_alarms = 0, trials = 1000;

	for (unsigned i = 0; i < trials; i++) {
		struct stats_sum old = draw(&build, 1, &random), new = draw(&build, 1, &random);
		struct stats_change change;

		stats_compare(&old, &new, 1 - ALPHA, &change);
		alarms += change.p < ALPHA ? 1 : 0;
		old.spread = new.spread = NAN;
		stats_compare(&old, &new, 1 - ALPHA, &change);
		all_alarms += change.p < ALPHA ? 1 : 0;
	}
	assert_true(all_alarms > trials / 2);
	assert_true(alarms < trials * ALPHA * 1.5);
}
