/* SPDX-License-Identifier: MIT */
/*
 * Two-sample statistics of sums of counts per unit of work. docs/DIFF.md documents the methods, their assumptions and
 * their sources.
 */
#ifndef BASE_STATS_STATS_H
#define BASE_STATS_STATS_H

#include <stdbool.h>
#include <stddef.h>

/* A quantity of one build (a time or a number of calls), summed over its captures, and the work it was spent on. */
struct stats_sum {
	double sum;      /* over all captures; 0 or more */
	double work;     /* over all captures, known exactly; 0: no statement is possible */
	double variance; /* variance of sum, by counting statistics; 0: sum is exact; NAN: not estimated */
	double grain;    /* the most that one count can add to sum; more than 0 unless sum is exact */
	double spread;   /* variance of sum between runs (stats_spread()); NAN: there is only one capture */
	size_t captures; /* 1 or more */
};

/* The variance of the sum of parts[i], one per capture, each with its works[i] (Cochran: "Sampling techniques", 3rd
 * edition, 1977, section 6.3: the ratio estimator). NAN for fewer than two captures. */
double stats_spread(const double *parts, const double *works, size_t count);

/* Either bound may be infinite; both are NAN if unknown. */
struct stats_interval {
	double low, high;
};

/* The change of a quantity per unit of work. */
struct stats_change {
	double old, new; /* NAN where there was no work */
	double ratio;    /* new / old; INFINITY if only old is 0, NAN if both are */
	struct stats_interval ratio_interval;
	struct stats_interval difference_interval; /* interval of new - old */
	double p; /* two-sided p-value: the probability of such a change by noise alone; NAN: exact or not testable */
	bool is_exact; /* both sums are exact and do not vary between runs: the intervals are points */
};

/*
 * Compares two sums. Each interval contains the true value with probability confidence (above 0, below 1). Counting
 * statistics and variation between runs are both used where known: p is the larger of the two p-values, and an interval
 * contains both intervals. The interval of the ratio excludes 1, and the interval of the difference excludes 0, if and
 * only if p < 1 - confidence.
 */
void stats_compare(const struct stats_sum *old, const struct stats_sum *new, double confidence,
                   struct stats_change *change);

/* The interval that contains a build's quantity per unit of work with probability confidence (above 0, below 1): a
 * point if the sum is exact, unknown without work or variance. Uses both sources of noise, as stats_compare() does. */
void stats_value_interval(const struct stats_sum *sum, double confidence, struct stats_interval *interval);

/*
 * Replaces p-values by q-values: the lowest false-discovery rate at which each counts as a discovery (Benjamini,
 * Hochberg: "Controlling the false discovery rate", 1995). NANs are not tests and stay. False when out of memory.
 */
bool stats_adjust(double *p_values, size_t count);

#endif
