/* SPDX-License-Identifier: MIT */
/* The cells of all captures, sorted into runs by address: cells of a run have the same source, size and sample time.
 * Private to groups. */
#ifndef PROFILE_ANALYSIS_CELLS_H
#define PROFILE_ANALYSIS_CELLS_H

#include "profile/analysis/groups.h"
#include "profile/analysis/presence.h"

/* Evidence about a block of code from other cells: samples, and the instructions that they were seen on. */
struct evidence {
	double samples, instructions;
};

struct cell {
	struct source source;
	double sample_time, handler_time;
	uint64_t low, high, count;
	bool is_complete;   /* a cell of this source that is missing has no samples */
	size_t first, end;  /* its parts */
	bool is_linked;     /* its first part belongs to the block of the last part of the cell before */
	bool is_restricted; /* a function in it counts as not run */
	double gap_before,
	        gap_after; /* instructions, in cells without samples, of the blocks that it begins and ends in */
	struct evidence left, right; /* of these blocks, from the cells before and after it */
};

/* All cells of the profile except coarse ones, sorted; cells with the same place, source and sample time are merged.
 * The caller frees *cells. False if memory is short. */
bool cells_collect(const struct profile *profile, struct cell **cells, size_t *count);

/* Fails if the cells lie on the same functions so many times over that dividing them would take longer than any capture
 * of a target. O(cells * log functions). */
enum status cells_check(const struct profile *profile, const struct cell *cells, size_t count, struct error *error);

/* The end of the run that begins with the first of these cells. */
size_t cells_run_end(const struct cell *cells, size_t first, size_t count);

#endif
