/* SPDX-License-Identifier: MIT */
/* Probabilities by summation and numerical integration: slow, but simple enough to be trusted. */
#ifndef UNIT_BASE_STATS_ORACLE_H
#define UNIT_BASE_STATS_ORACLE_H

/* The probability that first or more of count events occur, each with these odds. */
long double oracle_binomial(unsigned first, unsigned count, double odds);
/* The probability of fewer than count events when mean events are expected. */
long double oracle_poisson(unsigned count, double mean);
/* The two-sided tail of Student's t, by Simpson's rule in the angle whose tangent is t / sqrt(freedom). */
long double oracle_student(double t, double freedom);

#endif
