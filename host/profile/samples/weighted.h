/* SPDX-License-Identifier: MIT */
/* The error of a sum of self times. Private to profile/. */
#ifndef PROFILE_SAMPLES_WEIGHTED_H
#define PROFILE_SAMPLES_WEIGHTED_H

#include "profile/profile.h"

/* The variance of the sum of weight * self time over all nodes: from counting statistics, and from the uncertainty
 * about shared bins, which cancels between nodes of the same weight. *variance is unchanged on failure. */
enum status weighted_variance(const struct profile *profile, const double *weights, double *variance,
                              struct error *error);

#endif
