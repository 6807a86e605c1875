/* SPDX-License-Identifier: MIT */
/*
 * Beta's distribution of the odds x / (1 - x) rather than of x itself, which keeps all its digits near 0 and near 1.
 * Tails of the binomial distribution, of Poisson's and of Student's are tails of it. Knows nothing of what is counted.
 */
#ifndef BASE_STATS_BETA_H
#define BASE_STATS_BETA_H

/* A distribution, made ready for use. */
struct beta {
	double a, b;
	double total;     /* a + b */
	double deviation; /* of the logarithm of the odds, as far as a and b are large */
	double scale;     /* the density of that logarithm where it is highest */
};

/* a, b: 1e-100 to 1e100. */
struct beta beta_prepare(double a, double b);

struct beta_point {
	double tail;    /* the chance of lower odds: the regularised incomplete beta function I_x(a, b) */
	double density; /* of the logarithm of the odds, which is what tail grows by */
	double excess;  /* (a + b) x - a: the derivative of the logarithm of density, turned round */
};

/*
 * Where a and b are both large by Temme's uniform expansion ("Special functions", 1996, section 11.3.3), to about 1e-7
 * of a tail; else by a continued fraction (DiDonato, Morris: "Algorithm 708: significant digit computation of the
 * incomplete beta function ratios", 1992), to about 1e-13.
 */
struct beta_point beta_at(const struct beta *beta, double odds);

/* The odds below which the chance is tail (above 0, below 1); 0 where they are less than a double can hold. */
double beta_quantile(const struct beta *beta, double tail);

#endif
