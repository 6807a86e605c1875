/* SPDX-License-Identifier: MIT */
/*
 * Quantiles of the beta distribution, by Halley's method on the logarithms of tail and odds. The log tail is a concave
 * function of the log odds, so Newton's method would converge from any start; Halley's takes fewer steps, and steps
 * that leave the bracket are replaced by bisection.
 */
#include "base/stats/beta.h"

#include <float.h>
#include <math.h>

#define ODDS_LOG_MAX 690 /* exp() of plus or minus this is a finite double */
#define STEPS_MAX    200

/* The normal quantile of the tail, as standard deviations below the mean (Abramowitz, Stegun: "Handbook of
 * mathematical functions", 1964, 26.2.23). */
static double normal_quantile(double tail)
{
	double t = sqrt(-2 * log(fmin(tail, 1 - tail)));
	double deviate =
	        t - (2.515517 + t * (0.802853 + t * 0.010328)) / (1 + t * (1.432788 + t * (0.189269 + t * 0.001308)));

	return tail < 0.5 ? deviate : -deviate;
}

/* A first estimate of the log odds, good unless a or b is small (ibid., 26.5.22). */
static double initial_estimate(const struct beta *beta, double tail)
{
	double deviate = normal_quantile(tail);

	if (beta->a <= 1 || beta->b <= 1)
		return log(beta->a / beta->b) - deviate * beta->deviation;
	double left = 1 / (2 * beta->a - 1), right = 1 / (2 * beta->b - 1);
	double mean = 2 / (left + right), lambda = (deviate * deviate - 3) / 6;
	double half = deviate * sqrt(mean + lambda) / mean - (right - left) * (lambda + 5.0 / 6 - 2 / (3 * mean));
	return log(beta->a / beta->b) - 2 * half;
}

/* Halley's step: Newton's, scaled by a correction that is limited to a factor of two, because far from the solution it
 * is unreliable. */
static double halley_step(const struct beta_point *point, double tail)
{
	double value = log(point->tail / tail);
	double slope = point->density / point->tail;
	double correction = -value * (point->distance + slope) / (2 * slope);

	return -value / slope / (1 - fmin(0.5, fmax(-1, correction)));
}

double beta_quantile(const struct beta *beta, double tail)
{
	double low = -ODDS_LOG_MAX, high = ODDS_LOG_MAX;
	double log_odds = fmin(high, fmax(low, initial_estimate(beta, tail)));

	for (int i = 0; i < STEPS_MAX && low < high; i++) {
		struct beta_point point = beta_at(beta, exp(log_odds));
		double step = halley_step(&point, tail);

		/* Convergence is cubic, so after this step only rounding error is left. */
		if (fabs(step) <= 1e-4 * fmin(1, beta->deviation) + DBL_EPSILON)
			return exp(log_odds + step);
		if (point.tail < tail)
			low = log_odds;
		else
			high = log_odds;
		log_odds += step;
		if (!(log_odds > low && log_odds < high))
			log_odds = low + (high - low) / 2;
	}
	return low > -ODDS_LOG_MAX ? exp(log_odds) : 0;
}
