/* SPDX-License-Identifier: MIT */
/* See power.h. Shares no code with host/base/stats/, whose tests it is the measure of. */
#include "power.h"

#include <math.h>

#define DEVIATIONS 8 /* what is farther from the mean does not count */

static double normal_tail(double deviations)
{
	return 0.5 * erfc(deviations / sqrt(2));
}

/* How many deviations above the mean the tail begins. */
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

/* The chance of first or more out of count, each of which is with the chance part; first is above the mean. */
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
	double least = ceil(first / 2); /* of the new build's count, for which the test rejects */
	for (double sum = first; sum <= last; sum++) {
		while (binomial_tail(least, sum, 0.5) > level / 2)
			least++;
		power += poisson(sum, mean) * (binomial_tail(least, sum, part) + binomial_tail(least, sum, 1 - part));
	}
	return power;
}
