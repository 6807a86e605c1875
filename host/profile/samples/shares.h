/* SPDX-License-Identifier: MIT */
/* The shares of nodes in the samples of captures. All passes over samples use them. Private to profile/. */
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

typedef enum status (*share_found)(void *context, const struct share *share, struct error *error);

/* Calls found() for each share of each group of samples (groups.h). Ends at the first failure. */
enum status shares_each(struct profile *profile, share_found found, void *context, struct error *error);

#endif
