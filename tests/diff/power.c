/* SPDX-License-Identifier: MIT */
/* See power.h. Shares no code with host/base/stats/, whose tests it checks. */
#include "power.h"

#include <math.h>

#define DEVIATIONS 8 /* counts farther from the mean are neglected */

static double normal_tail(double deviations)
{
	return 0.5 * erfc(deviations / sqrt(2));
}

/* The deviations above the mean at which the tail begins. */
static double normal_limit(double tail)
{
	double low = 0, high = 40;

	for (int i = 0; i < 100; i++) {
		double middle = (low + high) / 2;

		if (normal_tail(middle) > tail)
			low = middle;
		else
			high = middle;
	}
	return low;
}

double power_by_normal(double old_mean, double new_mean, double level)
{
	double effect = (new_mean - old_mean) / sqrt(new_mean + old_mean), limit = normal_limit(level / 2);

	return normal_tail(limit - effect) + normal_tail(limit + effect);
}

static double binomial(double first, double count, double part)
{
	return exp(lgamma(count + 1) - lgamma(first + 1) - lgamma(count - first + 1) + first * log(part) +
	           (count - first) * log1p(-part));
}

/* The probability of first or more successes in count trials with probability part; first is above the mean. */
static double upper_tail(double first, double count, double part)
{
	double sum = 0, term = first <= count ? binomial(first, count, part) : 0;

	for (double i = first; term > 1e-17 * sum; i++) {
		sum += term;
		term *= (count - i) / (i + 1) * part / (1 - part);
	}
	return sum;
}

static double binomial_tail(double first, double count, double part)
{
	if (first > count * part)
		return upper_tail(first, count, part);
	return 1 - upper_tail(count - first + 1, count, 1 - part);
}

static double poisson(double count, double mean)
{
	return exp(count * log(mean) - mean - lgamma(count + 1));
}

double power_by_counts(double old_mean, double new_mean, double level)
{
	double mean = old_mean + new_mean, part = new_mean / mean, power = 0;
	double first = fmax(0, floor(mean - DEVIATIONS * sqrt(mean))), last = mean + DEVIATIONS * sqrt(mean);
	double rejected = ceil(first / 2); /* the smallest count of the new build that the test rejects */

	for (double sum = first; sum <= last; sum++) {
		while (binomial_tail(rejected, sum, 0.5) > level / 2)
			rejected++;
		power += poisson(sum, mean) *
		         (binomial_tail(rejected, sum, part) + binomial_tail(rejected, sum, 1 - part));
	}
	return power;
}
