/* SPDX-License-Identifier: MIT */
/*
 * The beta distribution, as a distribution of the odds x / (1 - x) instead of x, which keeps full precision near 0 and
 * near 1. Tails of the binomial, Poisson and Student's t distributions are computed from its tails.
 */
#ifndef BASE_STATS_BETA_H
#define BASE_STATS_BETA_H

/* A distribution with the constants that every evaluation needs. */
struct beta {
	double a, b;
	double total;     /* a + b */
	double deviation; /* standard deviation of the log odds, for large a and b */
	double scale;     /* the highest density of the log odds */
};

/* a, b: 1e-100 to 1e100. */
struct beta beta_prepare(double a, double b);

struct beta_point {
	double tail;     /* the probability of lower odds: the regularised incomplete beta function I_x(a, b) */
	double density;  /* density of the log odds: the derivative of tail */
	double distance; /* (a + b) x - a: minus the derivative of the logarithm of density */
};

/*
 * For large a and b, by Temme's uniform expansion ("Special functions", 1996, section 11.3.3), with a relative error of
 * about 1e-7; otherwise by a continued fraction (DiDonato, Morris: "Algorithm 708: significant digit computation of the
 * incomplete beta function ratios", 1992), with about 1e-13.
 */
struct beta_point beta_at(const struct beta *beta, double odds);

/* The odds that have the given tail, which is above 0 and below 1; 0 if the odds underflow. */
double beta_quantile(const struct beta *beta, double tail);

#endif
