/* SPDX-License-Identifier: MIT */
/* What each of the two sources of noise, counting and the differences between runs, tells by itself. */
#ifndef BASE_STATS_EVIDENCE_H
#define BASE_STATS_EVIDENCE_H

#include "base/stats/stats.h"

#include <math.h>

/* Times that are the same differ by so much, in proportion, where they were added up in another order. A byte of a
 * terabyte is as much. */
#define STATS_ROUNDING 1e-12

/* As of struct stats_change. */
struct evidence {
	struct stats_interval ratio, difference;
	double p;
};

/* Is there no noise of counting in the sum? */
bool stats_is_exact(const struct stats_sum *sum);

/*
 * By the noise of counting. Both have work. False if it is not known, or both are exact. excess: what is left of 1 by
 * the confidence, here and below.
 */
bool evidence_of_counts(const struct stats_sum *old, const struct stats_sum *new, double excess,
                        struct evidence *evidence);

/* By the differences between the captures of one build. Both have work. False if neither build tells of them. */
bool evidence_of_runs(const struct stats_sum *old, const struct stats_sum *new, double excess,
                      struct evidence *evidence);

/* Of one build's value, by either source; the same conditions. */
bool interval_of_counts(const struct stats_sum *sum, double excess, struct stats_interval *interval);
bool interval_of_runs(const struct stats_sum *sum, double excess, struct stats_interval *interval);

/* The least interval that holds two. */
static inline struct stats_interval interval_of_both(struct stats_interval a, struct stats_interval b)
{
	return (struct stats_interval){fmin(a.low, b.low), fmax(a.high, b.high)};
}

#endif
