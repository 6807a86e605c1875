/* SPDX-License-Identifier: MIT */
/* How far sums spread from run to run, by what single captures deviate from the rate of all. */
#include "base/stats/evidence.h"

#include <math.h>

/* What a capture has beyond its due; nothing where that may be rounding, so that what is the same in all is exact. */
static double deviation(double part, double due)
{
	double beyond = part - due;
	return fabs(beyond) <= STATS_ROUNDING * part ? 0 : beyond;
}

double stats_spread(const double *parts, const double *works, size_t count)
{
	double part = 0, work = 0, squares = 0;
	if (count < 2)
		return NAN;
	for (size_t i = 0; i < count; i++) {
		part += parts[i];
		work += works[i];
	}
	for (size_t i = 0; i < count; i++) {
		double beyond = deviation(parts[i], part / work * works[i]);
		squares += beyond * beyond;
	}
	return squares * (double)count / (double)(count - 1);
}
