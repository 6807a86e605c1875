/* SPDX-License-Identifier: MIT */
/* How likely a slow-down is found, by theory: two Poisson counts, of which the second has a higher mean. */
#ifndef TESTS_POWER_H
#define TESTS_POWER_H

/*
 * By the normal approximation of the test whose two-sided level is given: the difference of the counts beside the root
 * of their sum.
 */
double power_by_normal(double old_mean, double new_mean, double level);

/*
 * Of the exact test given the sum of both counts (Przyborowski, Wilenski 1940), by adding up all outcomes. What it
 * rejects falls short of the level, since the chances of counts come in steps.
 */
double power_by_counts(double old_mean, double new_mean, double level);

#endif
