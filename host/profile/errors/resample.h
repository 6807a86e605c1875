/* SPDX-License-Identifier: MIT */
/* Self times as another run could have had: random, with the recorded samples as their mean. Memory is bounded by the
 * captures and the image. */
#ifndef PROFILE_ERRORS_RESAMPLE_H
#define PROFILE_ERRORS_RESAMPLE_H

#include "profile/errors/poisson.h"
#include "profile/profile.h"

/* Samples of one node and one sample time that no other node can claim: their sum is Poisson-distributed like each of
 * them. */
struct sample_pool {
	size_t node;
	double mean, sample_time;
};

/* The claim of a node on a cell that several share. */
struct sample_claim {
	size_t node;
	double samples;
	double up_to; /* the samples of all claims up to this one, as a fraction of the cell's */
};

/* A cell that several nodes share: the uncertainty about the owner of its samples is drawn cell by cell. */
struct sample_cell {
	size_t first, end; /* its claims */
	double count, sample_time;
	double undivided_part; /* the part of the samples that goes to one node as a whole */
};

/* All zero before resample_prepare(). */
struct resample {
	const struct profile *profile;
	struct random random;
	struct sample_pool *pools;
	size_t pool_count;
	struct sample_claim *claims;
	size_t claim_count;
	struct sample_cell *cells;
	size_t cell_count;
	double doubt, doubt_max; /* the last cell's variance beyond counting, and its value without any evidence */
	/* While pools are made: samples by node, all of one sample time. */
	double *pending;
	double pending_time;
};

/* Takes the captures of a profile whose self times are assigned. Freed by resample_free(), also after a failure. */
enum status resample_prepare(struct resample *resample, const struct profile *profile, struct error *error);
void resample_free(struct resample *resample);

/* Adds lanes draws: the self time of node n in draw i to times[n * lanes + i]. */
void resample_draw(struct resample *resample, double *times, size_t lanes);

#endif
