/* SPDX-License-Identifier: MIT */
/* The functions that can have been sampled in the cells of a run, block by block. Private to groups. */
#ifndef PROFILE_SAMPLES_RUNS_H
#define PROFILE_SAMPLES_RUNS_H

#include "firmware/calls/code_map.h"
#include "profile/samples/apportion.h"

/* All zero but profile and map before runs_prepare(). */
struct runs {
	struct profile *profile;
	const struct code_map *map;
	struct presence presence;
	struct group_part *parts; /* parts of the current run */
	size_t part_count;
	struct density *densities; /* by function, of the current run */
	double *instructions;      /* by function: its instructions; negative: not counted yet */
	bool *is_admitted; /* by first range of a function: samples of the current run show that it may have run */
	bool excludes_functions; /* calls show which functions did not run */
};

/* False when out of memory. Freed by runs_free(), also after a failure. */
bool runs_prepare(struct runs *runs);
void runs_free(struct runs *runs);

/* Finds the parts of a run of cells and shares the cells' samples among them. False when out of memory. */
bool runs_share_samples(struct runs *runs, struct cell *cells, size_t count);

#endif
