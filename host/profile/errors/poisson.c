/* SPDX-License-Identifier: MIT */
/* See poisson.h. */
#include "profile/errors/poisson.h"

#include <math.h>
#include <stdbool.h>

#define SMALL_MEAN 10 /* PTRS is valid from here on */

static uint64_t next_random(struct random *random)
{
	uint64_t mixed = random->state += UINT64_C(0x9E3779B97F4A7C15);

	mixed = (mixed ^ mixed >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
	mixed = (mixed ^ mixed >> 27) * UINT64_C(0x94D049BB133111EB);
	return mixed ^ mixed >> 31;
}

double random_unit(struct random *random)
{
	return (double)(next_random(random) >> 11) * 0x1p-53;
}

struct poisson poisson_prepare(double mean)
{
	struct poisson poisson = {.mean = mean};

	if (mean < SMALL_MEAN) {
		poisson.limit = exp(-mean);
		return poisson;
	}
	poisson.b = 0.931 + 2.53 * sqrt(mean);
	poisson.a = -0.059 + 0.02483 * poisson.b;
	poisson.inverse_alpha = 1.1239 + 1.1328 / (poisson.b - 3.4);
	poisson.quick = 0.9277 - 3.6224 / (poisson.b - 2);
	return poisson;
}

static double draw_small(double limit, struct random *random)
{
	double count = 0, product = random_unit(random);

	while (product > limit) {
		product *= random_unit(random);
		count++;
	}
	return count;
}

/*
 * The logarithm of the probability of k. Above 9 the factorial is Stirling's series and the large terms are taken
 * together before they can cancel (Loader: "Fast and accurate computation of binomial probabilities", 2000).
 */
static double log_probability(double k, double mean)
{
	static const double factorials[] = {1, 1, 2, 6, 24, 120, 720, 5040, 40320, 362880};

	if (k < 10)
		return k * log(mean) - mean - log(factorials[(unsigned)k]);
	double difference = (mean - k) / k;
	double square = k * k;
	double series = (1.0 / 12 - (1.0 / 360 - 1.0 / 1260 / square) / square) / k;
	return k * (log1p(difference) - difference) - 0.5 * log(2 * acos(-1) * k) - series;
}

/* One attempt of PTRS; false if it is rejected. */
static bool try_ptrs_draw(const struct poisson *poisson, struct random *random, double *k)
{
	double u = random_unit(random) - 0.5;
	double v = random_unit(random);
	double edge = 0.5 - fabs(u);

	*k = floor((2 * poisson->a / edge + poisson->b) * u + poisson->mean + 0.43);
	if (edge >= 0.07 && v <= poisson->quick)
		return true;
	if (*k < 0 || (edge < 0.013 && v > edge))
		return false;
	double density = v * poisson->inverse_alpha / (poisson->a / (edge * edge) + poisson->b);
	return log(density) <= log_probability(*k, poisson->mean);
}

double poisson_draw(const struct poisson *poisson, struct random *random)
{
	double k;

	if (poisson->mean < SMALL_MEAN)
		return draw_small(poisson->limit, random);
	while (!try_ptrs_draw(poisson, random, &k))
		continue;
	return k;
}
