/* SPDX-License-Identifier: MIT */
/*
 * Self times as they might have come out: what the captures hold is taken as the mean of what another run would have
 * recorded. Memory is bounded by the captures and the image. Knows nothing of calls.
 */
#ifndef ANALYSIS_RESAMPLE_H
#define ANALYSIS_RESAMPLE_H

#include "analysis/groups.h"
#include "analysis/poisson.h"

/* Samples of one node and one length, which no other node can claim: their sum is as much a Poisson number as each. */
struct sample_pool {
	size_t node;
	double mean, sample_time;
};

/* All zero before resample_prepare(). */
struct resample {
	struct profile *profile;
	struct random random;
	struct sample_pool *pools;
	size_t pool_count;
	struct sample_group *shared; /* each of them in doubt on its own */
	size_t shared_count;
	uint64_t *covered; /* bytes of the image's functions before each, and of all */
	/* While pools are made: samples of each node, of one length so far. */
	double *pending;
	double pending_time;
};

/* The captures of a profile whose self times are assigned. Freed by resample_free(), also after a failure. */
enum status resample_prepare(struct resample *resample, struct profile *profile, struct error *error);
void resample_free(struct resample *resample);

/* Adds lanes draws: the self time of node n in draw i to times[n * lanes + i]. */
void resample_draw(struct resample *resample, double *times, size_t lanes);

#endif
