/* SPDX-License-Identifier: MIT */
/*
 * Counting statistics. A sum of counts with different weights is approximated by a single weighted count of the same
 * mean and variance (Fay, Feuer: "Confidence intervals for directly standardized rates: a method based on the gamma
 * distribution", 1997). Two such counts are compared by the split of their total between them (Przyborowski, Wilenski:
 * "Homogeneity of results in testing samples from Poisson series", 1940; Clopper, Pearson: "The use of confidence or
 * fiducial limits illustrated in the case of the binomial", 1934). Binomial tails are computed by the beta
 * distribution, which does not need whole numbers.
 */
#include "base/stats/beta.h"
#include "base/stats/evidence.h"

#include <math.h>

/* An exact value is treated as a count this large, whose noise is negligible. Its inverse is the smallest effective
 * count. */
#define NOISELESS 1e24

/* A count of events, and how much one event adds to the rate per unit of work. */
struct event_rate {
	double count, unit;
};

/* The rate for a lower confidence limit, and for an upper one, which counts one more event of the largest weight. */
struct rates {
	struct event_rate low, high;
};

bool stats_is_exact(const struct stats_sum *sum)
{
	return sum->variance == 0 && !(sum->sum == 0 && sum->grain > 0);
}

static struct event_rate rate_of_events(double sum, double variance, double work)
{
	double count = fmax(1 / NOISELESS, fmin(sum / variance * sum, NOISELESS));

	return (struct event_rate){count, sum / count / work};
}

static struct rates rates_of(const struct stats_sum *sum)
{
	if (stats_is_exact(sum)) {
		struct event_rate rate = {NOISELESS, sum->sum / NOISELESS / sum->work};

		return (struct rates){rate, rate};
	}
	if (sum->sum == 0)
		return (struct rates){.low = {0, sum->grain / sum->work}, .high = {1, sum->grain / sum->work}};
	double grain = fmax(sum->grain, sum->variance / sum->sum);
	return (struct rates){
	        .low = rate_of_events(sum->sum, sum->variance, sum->work),
	        .high = rate_of_events(sum->sum + grain, sum->variance + grain * grain, sum->work),
	};
}

/* The probability of a split at least this much in favour of rate, if both rates are equal. */
static double probability_of_split(const struct event_rate *rate, const struct event_rate *other)
{
	if (rate->count == 0)
		return 1;
	struct beta beta = beta_prepare(rate->count, other->count);
	return beta_at(&beta, other->unit / rate->unit).tail;
}

/* The lowest ratio of the rates at which probability_of_split() is tail. */
static double lowest_ratio(const struct event_rate *rate, const struct event_rate *other, double tail)
{
	if (rate->count == 0)
		return 0;
	struct beta beta = beta_prepare(rate->count, other->count);
	return beta_quantile(&beta, tail) * (rate->unit / other->unit);
}

/* The limits of a single rate, by comparison with an exact rate of 1. */
static struct stats_interval rate_limits(const struct stats_sum *sum, const struct rates *rates, double tail)
{
	static const struct event_rate one = {NOISELESS, 1 / NOISELESS};

	if (stats_is_exact(sum))
		return (struct stats_interval){sum->sum / sum->work, sum->sum / sum->work};
	return (struct stats_interval){
	        .low = lowest_ratio(&rates->low, &one, tail),
	        .high = 1 / lowest_ratio(&one, &rates->high, tail),
	};
}

/* MOVER (Zou, Donner: "Construction of confidence limits about effect measures", 2008). */
static struct stats_interval difference_interval(double old, struct stats_interval old_limits, double new,
                                                 struct stats_interval new_limits)
{
	return (struct stats_interval){
	        .low = new - old - hypot(new - new_limits.low, old_limits.high - old),
	        .high = new - old + hypot(new_limits.high - new, old - old_limits.low),
	};
}

bool evidence_of_counts(const struct stats_sum *old, const struct stats_sum *new, double alpha,
                        struct evidence *evidence)
{
	if (isnan(old->variance) || isnan(new->variance) || (stats_is_exact(old) && stats_is_exact(new)))
		return false;
	struct rates old_rates = rates_of(old), new_rates = rates_of(new);
	double more = probability_of_split(&new_rates.low, &old_rates.high),
	       less = probability_of_split(&old_rates.low, &new_rates.high);
	evidence->p = fmin(1, 2 * fmin(more, less));
	evidence->ratio.low = lowest_ratio(&new_rates.low, &old_rates.high, alpha / 2);
	evidence->ratio.high = 1 / lowest_ratio(&old_rates.low, &new_rates.high, alpha / 2);
	evidence->difference = difference_interval(old->sum / old->work, rate_limits(old, &old_rates, alpha / 2),
	                                           new->sum / new->work, rate_limits(new, &new_rates, alpha / 2));
	return true;
}

bool interval_of_counts(const struct stats_sum *sum, double alpha, struct stats_interval *interval)
{
	if (isnan(sum->variance))
		return false;
	struct rates rates = rates_of(sum);
	*interval = rate_limits(sum, &rates, alpha / 2);
	return true;
}
