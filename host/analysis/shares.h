/* SPDX-License-Identifier: MIT */
/*
 * How the samples of a capture are shared among the code that they fell on: what the passes over samples have in
 * common. Private to analysis/.
 */
#ifndef ANALYSIS_SHARES_H
#define ANALYSIS_SHARES_H

#include "model/profile.h"

/* Samples for one node. */
struct share {
	size_t node;
	uint64_t low, high; /* the node's code that they fell on; empty where the samples are those of no code */
	double samples;
	double variance;                  /* of their number, counting statistics apart */
	double sample_time, handler_time; /* of each: of the code, and of the sampling interrupt */
	uint64_t shared_samples; /* all samples of a cell that several nodes share; told once, with its first share */
};

typedef enum status (*share_found)(void *context, const struct share *share, struct error *error);

/* Calls found() for each share of each group of samples (groups.h). Ends at the first failure. */
enum status shares_each(struct profile *profile, share_found found, void *context, struct error *error);

/* The variance of a part of samples of which it is not known whether they are of that part, but likely by fraction:
 * all may be of any one part, the likelier the larger it is. */
double share_doubt(double samples, double fraction);

#endif
