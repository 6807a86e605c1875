/* SPDX-License-Identifier: MIT */
/* A change by all that is known of noise: no surer than by the source that makes it least sure. */
#include "base/stats/evidence.h"

#include <math.h>

static const struct stats_interval unknown = {NAN, NAN};

/* Neither noise of counting nor of runs, as far as runs are known. */
static bool is_exact(const struct stats_sum *old, const struct stats_sum *new)
{
	return stats_is_exact(old) && stats_is_exact(new) && !(old->spread > 0) && !(new->spread > 0);
}

/* False if nothing is known. */
static bool gather(const struct stats_sum *old, const struct stats_sum *new, double excess, struct evidence *evidence)
{
	struct evidence runs;
	bool has_counts = evidence_of_counts(old, new, excess, evidence);
	if (!evidence_of_runs(old, new, excess, &runs))
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

static void include(struct stats_interval *interval, double value)
{
	interval->low = fmin(interval->low, value);
	interval->high = fmax(interval->high, value);
}

/*
 * An interval leaves out the value of no change where the test says that there is one, and only there. That of a ratio
 * does, but for rounding; that of a difference by counts is of a method of its own (MOVER), and is cut off: who reads
 * both must not be told two things.
 */
static void settle(struct stats_interval *interval, double none, bool is_change, bool is_more)
{
	if (!is_change)
		include(interval, none);
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

static void fill(struct stats_change *change, const struct evidence *evidence, double excess)
{
	bool is_more = change->ratio > 1;
	/* Tails of a skew distribution are not halves of it where nothing changed. */
	change->p = change->ratio == 1 ? 1 : evidence->p;
	bool is_change = change->p < excess;
	change->ratio_interval = evidence->ratio;
	change->difference_interval = evidence->difference;
	/* Rounding must not leave the ratio itself outside. Of nothing and nothing there is none. */
	include(&change->ratio_interval, change->ratio);
	settle(&change->ratio_interval, 1, is_change, is_more);
	settle(&change->difference_interval, 0, is_change, is_more);
}

static double rate_of(const struct stats_sum *sum)
{
	return sum->work > 0 ? sum->sum / sum->work : NAN;
}

void stats_compare(const struct stats_sum *old, const struct stats_sum *new, double confidence,
                   struct stats_change *change)
{
	struct evidence evidence;
	*change = (struct stats_change){
	        .old = rate_of(old),
	        .new = rate_of(new),
	        .ratio_interval = unknown,
	        .difference_interval = unknown,
	        .p = NAN,
	};
	change->ratio = change->new / change->old;
	if (!(old->work > 0) || !(new->work > 0))
		return;
	if (is_exact(old, new))
		fill_exact(change);
	else if (gather(old, new, 1 - confidence, &evidence))
		fill(change, &evidence, 1 - confidence);
}
