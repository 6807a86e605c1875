/* SPDX-License-Identifier: MIT */
/* Changes and values judged by both sources of noise. The less certain one decides. */
#include "base/stats/evidence.h"

#include <math.h>

static const struct stats_interval unknown = {NAN, NAN};

/* Whether there is neither counting noise nor any known variation between runs. */
static bool is_exact(const struct stats_sum *old, const struct stats_sum *new)
{
	return stats_is_exact(old) && stats_is_exact(new) && !(old->spread > 0) && !(new->spread > 0);
}

/* Combines the evidence from both sources. False if there is none. */
static bool combine_evidence(const struct stats_sum *old, const struct stats_sum *new, double alpha,
                             struct evidence *evidence)
{
	struct evidence runs;
	bool has_counts = evidence_of_counts(old, new, alpha, evidence);

	if (!evidence_of_runs(old, new, alpha, &runs))
		return has_counts;
	if (!has_counts) {
		*evidence = runs;
		return true;
	}
	evidence->p = fmax(evidence->p, runs.p);
	evidence->ratio = interval_of_both(evidence->ratio, runs.ratio);
	evidence->difference = interval_of_both(evidence->difference, runs.difference);
	return true;
}

static void widen_interval(struct stats_interval *interval, double value)
{
	interval->low = fmin(interval->low, value);
	interval->high = fmax(interval->high, value);
}

/*
 * Makes an interval exclude the value of no change if and only if the test is significant. The interval of the ratio
 * does so except for rounding. The interval of the difference comes from another method (MOVER) and is clipped, so that
 * the two never contradict each other.
 */
static void agree_with_test(struct stats_interval *interval, double none, bool is_change, bool is_more)
{
	if (!is_change)
		widen_interval(interval, none);
	else if (is_more)
		interval->low = fmax(interval->low, nextafter(none, INFINITY));
	else
		interval->high = fmin(interval->high, nextafter(none, -INFINITY));
}

static void fill_exact(struct stats_change *change)
{
	if (fabs(change->ratio - 1) <= STATS_ROUNDING) {
		change->new = change->old;
		change->ratio = 1;
	}
	change->is_exact = true;
	change->ratio_interval = (struct stats_interval){change->ratio, change->ratio};
	change->difference_interval = (struct stats_interval){change->new - change->old, change->new - change->old};
}

static void fill_change(struct stats_change *change, const struct evidence *evidence, double alpha)
{
	bool is_more = change->ratio > 1;

	/* With no change at all, the tail of a skewed distribution would give a p-value below 1. */
	change->p = change->ratio == 1 ? 1 : evidence->p;
	bool is_change = change->p < alpha;
	change->ratio_interval = evidence->ratio;
	change->difference_interval = evidence->difference;
	/* Rounding must not exclude the ratio itself. It is NAN if both values are 0, and then has no effect. */
	widen_interval(&change->ratio_interval, change->ratio);
	agree_with_test(&change->ratio_interval, 1, is_change, is_more);
	agree_with_test(&change->difference_interval, 0, is_change, is_more);
}

static double observed_rate(const struct stats_sum *sum)
{
	return sum->work > 0 ? sum->sum / sum->work : NAN;
}

void stats_compare(const struct stats_sum *old, const struct stats_sum *new, double confidence,
                   struct stats_change *change)
{
	struct evidence evidence;

	*change = (struct stats_change){
	        .old = observed_rate(old),
	        .new = observed_rate(new),
	        .ratio_interval = unknown,
	        .difference_interval = unknown,
	        .p = NAN,
	};
	change->ratio = change->new / change->old;
	if (!(old->work > 0) || !(new->work > 0))
		return;
	if (is_exact(old, new))
		fill_exact(change);
	else if (combine_evidence(old, new, 1 - confidence, &evidence))
		fill_change(change, &evidence, 1 - confidence);
}

void stats_value_interval(const struct stats_sum *sum, double confidence, struct stats_interval *interval)
{
	double alpha = 1 - confidence;
	struct stats_interval runs;

	*interval = unknown;
	if (!(sum->work > 0))
		return;
	bool has_counts = interval_of_counts(sum, alpha, interval);
	if (!interval_of_runs(sum, alpha, &runs))
		return;
	*interval = has_counts ? interval_of_both(*interval, runs) : runs;
}
