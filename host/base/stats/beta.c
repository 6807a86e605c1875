/* SPDX-License-Identifier: MIT */
/* See beta.h. */
#include "base/stats/beta.h"

#include <float.h>
#include <math.h>

#define LARGE          100 /* from this a and b on the expansion is accurate and the fraction slow */
#define ITERATIONS_MAX 1000
#define PI             3.14159265358979323846

/* x, 1 - x, and the distance of x from the mean a / (a + b), each computed without cancellation. */
struct beta_argument {
	double x, y;
	double distance; /* (a + b) x - a */
};

/* log(gamma(x + 1)) minus Stirling's formula. */
static double stirling_error(double x)
{
	if (x < 10)
		return lgamma(x + 1) - (x + 0.5) * log(x) + x - 0.5 * log(2 * PI);
	double square = x * x;
	return (1.0 / 12 - (1.0 / 360 - (1.0 / 1260 - (1.0 / 1680 - 1.0 / 1188 / square) / square) / square) / square) /
	       x;
}

struct beta beta_prepare(double a, double b)
{
	double total = a + b;
	double inverse_variance = 1 / (1 / a + 1 / b); /* of the log odds, for large a and b */
	double error = stirling_error(total) - stirling_error(a) - stirling_error(b);

	return (struct beta){
	        .a = a,
	        .b = b,
	        .total = total,
	        .deviation = 1 / sqrt(inverse_variance),
	        .scale = sqrt(inverse_variance / (2 * PI)) * exp(error),
	};
}

static struct beta_argument argument_of_odds(const struct beta *beta, double odds)
{
	struct beta_argument argument = {.x = 1 / (1 + 1 / odds), .y = 1 / (1 + odds)};

	if (beta->a < beta->b)
		argument.distance = beta->total * argument.x - beta->a;
	else
		argument.distance = beta->b - beta->total * argument.y;
	return argument;
}

/* m - log(1 + m) without cancellation for small m; ratio is 1 + m. */
static double log_remainder(double m, double ratio)
{
	if (fabs(m) > 0.2)
		return m - log(ratio);
	/* The series of log(1 + m) = 2 atanh(s) without its first term, 2 s = m - s m. */
	double s = m / (2 + m), square = s * s, sum = 0;
	for (int i = 17; i >= 3; i -= 2)
		sum = sum * square + 1.0 / i;
	return s * (m - 2 * square * sum);
}

/*
 * The saddle-point deviance: how far the log density is below its maximum, as two terms that cannot cancel (Loader:
 * "Fast and accurate computation of binomial probabilities", 2000).
 */
static double deviance_of(const struct beta *beta, const struct beta_argument *argument)
{
	return beta->a * log_remainder(argument->distance / beta->a, beta->total * argument->x / beta->a) +
	       beta->b * log_remainder(-argument->distance / beta->b, beta->total * argument->y / beta->b);
}

/* The continued fraction of a tail, which converges fast for x up to (a + 1) / (a + b + 2). */
struct fraction {
	double a, b, x, y;
	double lambda; /* a - (a + b) x, as in Algorithm 708 */
};

static double numerator_of(const struct fraction *f, int i)
{
	double step = f->a + 2 * i - 1;

	return (f->a + i - 1) / step * ((f->a + f->b + i - 1) * f->x) / step * i * ((f->b - i) * f->x);
}

static double denominator_of(const struct fraction *f, int i)
{
	double first = i == 0 ? 0 : i + i * ((f->b - i) * f->x) / (f->a + 2 * i - 1);

	return first + (f->a + i) * (f->lambda + 1 + i * (1 + f->y)) / (f->a + 2 * i + 1);
}

/* A tail is the density divided by this value (Lentz: "Generating Bessel functions in Mie scattering calculations using
 * continued fractions", 1976). */
static double evaluate_fraction(const struct fraction *f)
{
	double value = denominator_of(f, 0), above = value, below = 0, change = 0;

	for (int i = 1; i < ITERATIONS_MAX && fabs(change - 1) > 4 * DBL_EPSILON; i++) {
		double numerator = numerator_of(f, i), denominator = denominator_of(f, i);

		below = 1 / (denominator + numerator * below);
		above = denominator + numerator / above;
		change = above * below;
		value *= change;
	}
	return value;
}

static double tail_by_fraction(const struct beta *beta, const struct beta_argument *argument, double density)
{
	if (argument->distance <= 1 - 2 * argument->x)
		return density / evaluate_fraction(&(struct fraction){beta->a, beta->b, argument->x, argument->y,
		                                                      -argument->distance});
	return fmax(0, 1 - density / evaluate_fraction(&(struct fraction){beta->b, beta->a, argument->y, argument->x,
	                                                                  argument->distance}));
}

/*
 * The normal distribution and two more terms of the expansion. Near the mean, where these terms cancel, their limit is
 * used.
 */
static double tail_by_expansion(const struct beta *beta, const struct beta_argument *argument, double deviance)
{
	double a = beta->a, b = beta->b, total = beta->total;
	double w = argument->distance * beta->deviation;
	double z = copysign(sqrt(2 * deviance), w);
	double slope = (1 / total - 1 / a - 1 / b) / 12;
	double rest;

	if (fabs(w) < 0.01) {
		double skew = (b - a) / total * beta->deviation;

		rest = skew / 3 + skew * skew * skew / 540 + skew / (20 * total) + slope * w;
	} else {
		double spread = (total * argument->x / a) * (total * argument->y / b);

		rest = 1 / z - 1 / w - 1 / (z * z * z) + spread / (w * w * w) - slope / w;
	}
	return fmax(0, 0.5 * erfc(-z / sqrt(2)) + exp(-deviance) / sqrt(2 * PI) * rest);
}

struct beta_point beta_at(const struct beta *beta, double odds)
{
	if (!(odds > 0))
		return (struct beta_point){0, 0, -beta->a};
	if (isinf(odds))
		return (struct beta_point){1, 0, beta->b};
	struct beta_argument argument = argument_of_odds(beta, odds);
	double deviance = deviance_of(beta, &argument);
	struct beta_point point = {.density = beta->scale * exp(-deviance), .distance = argument.distance};
	if (fmin(beta->a, beta->b) < LARGE)
		point.tail = tail_by_fraction(beta, &argument, point.density);
	else
		point.tail = tail_by_expansion(beta, &argument, deviance);
	return point;
}
