/* SPDX-License-Identifier: MIT */
/* Probabilities by summation and stepwise integration: slow, but simple enough to be right. */
#ifndef UNIT_BASE_STATS_ORACLE_H
#define UNIT_BASE_STATS_ORACLE_H

/* The probability of first or more out of count events, each with the odds. */
long double oracle_binomial(unsigned first, unsigned count, double odds);
/* The probability of fewer than count events if mean are expected. */
long double oracle_poisson(unsigned count, double mean);
/* The two-sided tail of Student's t, by Simpson's rule in the angle whose tangent is t / sqrt(freedom). */
long double oracle_student(double t, double freedom);

#endif
