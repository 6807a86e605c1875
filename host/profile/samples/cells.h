/* SPDX-License-Identifier: MIT */
/* The cells of all captures, sorted into runs by address: cells of a run have the same source, size and sample time.
 * Private to groups. */
#ifndef PROFILE_SAMPLES_CELLS_H
#define PROFILE_SAMPLES_CELLS_H

#include "profile/samples/groups.h"

/* samples, and the instructions they were counted on */
struct sample_evidence {
	double samples, instructions;
};

struct cell {
	struct sample_source source;
	double sample_time, handler_time;
	uint64_t low, high, count;
	bool is_complete;   /* if a cell of this source is missing, it had no samples */
	size_t first, end;  /* range of its parts */
	bool is_linked;     /* its first part is in the block of the previous cell's last part */
	bool is_restricted; /* a function in it is known not to have run */
	double gap_before,
	        gap_after; /* instructions, in cells without samples, of the blocks that it begins and ends in */
	struct sample_evidence left, right; /* evidence of these blocks, from the cells before and after it */
};

/* All cells of the profile except coarse ones, sorted; cells with the same place, source and sample time are merged.
 * The caller frees *cells. False when out of memory. */
bool cells_collect(const struct profile *profile, struct cell **cells, size_t *count);

/* Fails if cells cover the same functions so often that dividing them would take longer than for any capture of a real
 * target. O(cells * log functions). */
enum status cells_check(const struct profile *profile, const struct cell *cells, size_t count, struct error *error);

/* The end of the run that begins with the first of these cells. */
size_t cells_run_end(const struct cell *cells, size_t first, size_t count);

#endif
