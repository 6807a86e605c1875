/* SPDX-License-Identifier: MIT */
/* Chances by adding up and by integrating in steps: slow, and plain enough to be right. */
#ifndef UNIT_BASE_STATS_ORACLE_H
#define UNIT_BASE_STATS_ORACLE_H

/* Of first or more out of count, of which each is with the odds. */
long double oracle_binomial(unsigned first, unsigned count, double odds);
/* Of less than count events, where mean are expected. */
long double oracle_poisson(unsigned count, double mean);
/* Of Student's t beyond the one given, by either sign: by Simpson's rule in the angle whose tangent is t /
 * sqrt(freedom). */
long double oracle_student(double t, double freedom);

#endif
