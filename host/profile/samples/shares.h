/* SPDX-License-Identifier: MIT */
/* The shares of nodes in the samples of captures, an array of the profile. All passes over samples use them. Private to
 * profile/. */
#ifndef PROFILE_SAMPLES_SHARES_H
#define PROFILE_SAMPLES_SHARES_H

#include "profile/profile.h"
#include "profile/samples/presence.h"

/* Samples of one cell for one node. */
struct share {
	size_t node;
	struct source source;
	double samples;
	double variance;                  /* variance of their number, without counting statistics */
	double sample_time, handler_time; /* as in groups.h */
	uint64_t shared_samples; /* all samples of the cell if it has several nodes; each of them has a share */
	bool is_first;           /* the first share of its cell; the others follow */
};

/* Fills in groups (groups.h) and shares of a profile that has none, in the order of the groups. */
enum status shares_make(struct profile *profile, struct error *error);

#endif
