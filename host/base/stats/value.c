/* SPDX-License-Identifier: MIT */
/* The interval of one build's value by all that is known of noise. */
#include "base/stats/evidence.h"

#include <math.h>

void stats_value_interval(const struct stats_sum *sum, double confidence, struct stats_interval *interval)
{
	double excess = 1 - confidence;
	struct stats_interval runs;
	*interval = (struct stats_interval){NAN, NAN};
	if (!(sum->work > 0))
		return;
	bool has_counts = interval_of_counts(sum, excess, interval);
	if (!interval_of_runs(sum, excess, &runs))
		return;
	*interval = has_counts ? interval_of_both(*interval, runs) : runs;
}
