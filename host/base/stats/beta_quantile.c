/* SPDX-License-Identifier: MIT */
/*
 * Odds of a given tail. The logarithm of a tail is a concave function of the logarithm of the odds, as the density of
 * that is: whatever the start, a step of Newton's ends below the solution, and all that follow go up to it. Halley's,
 * which are taken, are fewer; what goes astray is halved.
 */
#include "base/stats/beta.h"

#include <float.h>
#include <math.h>

#define ODDS_LOG_MAX 690 /* exp() of it is within a double, by either sign */
#define STEPS_MAX    200

/* How many standard deviations below the mean a normal distribution has the tail (Abramowitz, Stegun: "Handbook of
 * mathematical functions", 1964, 26.2.23). */
static double normal_depth(double tail)
{
	double t = sqrt(-2 * log(fmin(tail, 1 - tail)));
	double depth =
	        t - (2.515517 + t * (0.802853 + t * 0.010328)) / (1 + t * (1.432788 + t * (0.189269 + t * 0.001308)));
	return tail < 0.5 ? depth : -depth;
}

/* The logarithm of odds that are near the solution, if a and b are not small (the same, 26.5.22). */
static double start_of(const struct beta *beta, double tail)
{
	double depth = normal_depth(tail);
	if (beta->a <= 1 || beta->b <= 1)
		return log(beta->a / beta->b) - depth * beta->deviation;
	double left = 1 / (2 * beta->a - 1), right = 1 / (2 * beta->b - 1);
	double mean = 2 / (left + right), lambda = (depth * depth - 3) / 6;
	double half = depth * sqrt(mean + lambda) / mean - (right - left) * (lambda + 5.0 / 6 - 2 / (3 * mean));
	return log(beta->a / beta->b) - 2 * half;
}

/* Halley's step in the logarithms of odds and tail, which is Newton's made longer or shorter: by a factor of two at
 * most, as far away it may hardly move. */
static double step_of(const struct beta_point *point, double tail)
{
	double value = log(point->tail / tail);
	double slope = point->density / point->tail;
	double bend = -value * (point->excess + slope) / (2 * slope);
	return -value / slope / (1 - fmin(0.5, fmax(-1, bend)));
}

double beta_quantile(const struct beta *beta, double tail)
{
	double low = -ODDS_LOG_MAX, high = ODDS_LOG_MAX;
	double at = fmin(high, fmax(low, start_of(beta, tail)));
	for (int i = 0; i < STEPS_MAX && low < high; i++) {
		struct beta_point point = beta_at(beta, exp(at));
		double step = step_of(&point, tail);
		/* Each step cubes the error, down to rounding. */
		if (fabs(step) <= 1e-4 * fmin(1, beta->deviation) + DBL_EPSILON)
			return exp(at + step);
		if (point.tail < tail)
			low = at;
		else
			high = at;
		at += step;
		if (!(at > low && at < high))
			at = low + (high - low) / 2;
	}
	return low > -ODDS_LOG_MAX ? exp(at) : 0;
}
