/* SPDX-License-Identifier: MIT */
/*
 * Two-sample statistics of sums of counts: what one build took for its work against what another took for its own.
 * docs/DIFF.md tells the methods, their assumptions and sources. Knows nothing of profiles.
 */
#ifndef BASE_STATS_STATS_H
#define BASE_STATS_STATS_H

#include <stdbool.h>
#include <stddef.h>

/* What the captures of one build tell of a quantity, a time or a number of calls, and of the work it was done for. */
struct stats_sum {
	double sum;      /* over all captures; 0 or more */
	double work;     /* over all captures, known exactly; 0: nothing can be said */
	double variance; /* of sum, by counting statistics; 0: sum is exact; NAN: it was not estimated */
	double grain;    /* what one count adds to sum where it adds all it can; more than 0 unless sum is exact */
	double spread;   /* of sum, its variance as far as captures differ from run to run (stats_spread());
	                    NAN: there is one capture only */
	size_t captures; /* 1 or more */
};

/* The variance of the sum of what single captures have, parts[i] for works[i] (Cochran: "Sampling techniques", 3rd
 * edition, 1977, section 6.3: the ratio estimator). NAN of less than two. */
double stats_spread(const double *parts, const double *works, size_t count);

/* Either bound may be infinite; both NAN: nothing is known. */
struct stats_interval {
	double low, high;
};

/* What became of a quantity, per unit of work. */
struct stats_change {
	double old, new; /* NAN where there was no work */
	double ratio;    /* new / old; INFINITY of what was 0 and is not; NAN where both are */
	struct stats_interval ratio_interval;
	struct stats_interval difference_interval; /* of new - old */
	double p; /* how likely noise alone gives as much of a change, two-sided; NAN: exact, or not to be tested */
	bool is_exact; /* both sums are, and do not differ from run to run: the intervals are points */
};

/*
 * Compares two sums, each interval holding the truth with the probability confidence (above 0, below 1). Counting
 * statistics and the differences from run to run both count, as far as they are known: the p-value is the larger one,
 * and intervals hold both. The interval of the ratio leaves out 1, and that of the difference 0, if and only if
 * p < 1 - confidence.
 */
void stats_compare(const struct stats_sum *old, const struct stats_sum *new, double confidence,
                   struct stats_change *change);

/* The interval that holds a build's quantity per unit of work with the probability confidence (above 0, below 1): a
 * point of an exact one, both NAN of one without work or variance. Counting statistics and the differences from run to
 * run both count, as far as they are known. */
void stats_value_interval(const struct stats_sum *sum, double confidence, struct stats_interval *interval);

/*
 * Turns p-values into what they are among all of them, in place: the least false-discovery rate at which each counts as
 * a discovery (Benjamini, Hochberg: "Controlling the false discovery rate", 1995). NANs are no tests, and stay. False
 * if memory is short.
 */
bool stats_adjust(double *p_values, size_t count);

#endif
