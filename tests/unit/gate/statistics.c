/* SPDX-License-Identifier: MIT */
/* Stands for compare/ and stats/: the same promises, by normal distributions. */
#include "compare/compare.h"

#include <math.h>
#include <string.h>

const char *compare_quantity_name(enum compare_quantity quantity)
{
	static const char *const names[] = {"self", "total", "calls", "percall", "share", "size"};
	return names[quantity];
}

/* How many standard deviations hold so much of a normal distribution. */
static double deviations(double confidence)
{
	double low = 0, high = 20;
	for (int i = 0; i < 100; i++) {
		double middle = (low + high) / 2;
		if (erf(middle / sqrt(2)) < confidence)
			low = middle;
		else
			high = middle;
	}
	return low;
}

void stats_value_interval(const struct stats_sum *sum, double confidence, struct stats_interval *interval)
{
	double value = sum->work > 0 ? sum->sum / sum->work : NAN;
	double error = deviations(confidence) * sqrt(fmax(sum->variance, sum->sum * sum->grain > 0 ? 0 : sum->grain));
	interval->low = fmax(0, value - error / sum->work);
	interval->high = value + error / sum->work;
	if (isnan(value) || isnan(sum->variance))
		*interval = (struct stats_interval){NAN, NAN};
}

void compare_change_at(const struct compare_change *change, double confidence, struct stats_change *values)
{
	struct stats_interval old, new;
	const struct stats_sum *sums = change->sums;
	stats_value_interval(&sums[BUILD_OLD], confidence, &old);
	stats_value_interval(&sums[BUILD_NEW], confidence, &new);
	*values = (struct stats_change){
	        .old = sums[BUILD_OLD].work > 0 ? sums[BUILD_OLD].sum / sums[BUILD_OLD].work : NAN,
	        .new = sums[BUILD_NEW].work > 0 ? sums[BUILD_NEW].sum / sums[BUILD_NEW].work : NAN,
	        .p = NAN,
	        .is_exact = sums[BUILD_OLD].variance == 0 && sums[BUILD_NEW].variance == 0 &&
	                    sums[BUILD_OLD].grain == 0 && sums[BUILD_NEW].grain == 0,
	};
	values->ratio = values->new / values->old;
	values->ratio_interval = (struct stats_interval){
	        values->ratio * exp(-hypot(log(values->new / new.low), log(old.high / values->old))),
	        values->ratio * exp(hypot(log(new.high / values->new), log(values->old / old.low))),
	};
	if (values->old <= 0)
		values->ratio_interval = (struct stats_interval){new.low / old.high, INFINITY};
	if (values->new <= 0)
		values->ratio_interval = (struct stats_interval){0, new.high / old.low};
	double difference = values->new - values->old;
	values->difference_interval = (struct stats_interval){
	        difference - hypot(values->new - new.low, old.high - values->old),
	        difference + hypot(new.high - values->new, values->old - old.low),
	};
}
