/* SPDX-License-Identifier: MIT */
/* The evidence of a change from each of the two sources of noise: counting statistics, and variation between runs. */
#ifndef BASE_STATS_EVIDENCE_H
#define BASE_STATS_EVIDENCE_H

#include "base/stats/stats.h"

#include <math.h>

/* The relative difference between equal times that were added up in different orders. */
#define STATS_ROUNDING 1e-12

/* Fields as in struct stats_change. */
struct evidence {
	struct stats_interval ratio, difference;
	double p;
};

/* Whether the sum has no counting noise. */
bool stats_is_exact(const struct stats_sum *sum);

/*
 * From counting statistics. Both sums have work. False if the counting noise is unknown or both sums are exact.
 * alpha, here and below: 1 - confidence.
 */
bool evidence_of_counts(const struct stats_sum *old, const struct stats_sum *new, double alpha,
                        struct evidence *evidence);

/* From the variation between captures of one build. Both sums have work. False if it is unknown for both builds. */
bool evidence_of_runs(const struct stats_sum *old, const struct stats_sum *new, double alpha,
                      struct evidence *evidence);

/* The interval of one build's value, from either source. The sum has work. False if that source's noise is unknown. */
bool interval_of_counts(const struct stats_sum *sum, double alpha, struct stats_interval *interval);
bool interval_of_runs(const struct stats_sum *sum, double alpha, struct stats_interval *interval);

/* The smallest interval that contains both. */
static inline struct stats_interval interval_of_both(struct stats_interval a, struct stats_interval b)
{
	return (struct stats_interval){fmin(a.low, b.low), fmax(a.high, b.high)};
}

#endif
