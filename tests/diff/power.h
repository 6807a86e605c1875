/* SPDX-License-Identifier: MIT */
/* The probability of finding a slow-down, by theory: two Poisson counts, the second with the higher mean. */
#ifndef TESTS_POWER_H
#define TESTS_POWER_H

/*
 * For the normal approximation, at a two-sided level: the difference of the counts divided by the root of their sum.
 */
double power_by_normal(double old_mean, double new_mean, double level);

/*
 * For the exact test that is conditional on the sum of both counts (Przyborowski, Wilenski 1940), by adding up all
 * outcomes. It rejects less often than the level allows, since the probabilities of counts come in steps.
 */
double power_by_counts(double old_mean, double new_mean, double level);

#endif
