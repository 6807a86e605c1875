/* SPDX-License-Identifier: MIT */
/* The cells of all captures in runs: of one source, one size, one length of samples, by address. Private to groups. */
#ifndef ANALYSIS_CELLS_H
#define ANALYSIS_CELLS_H

#include "analysis/groups.h"
#include "analysis/presence.h"

/* Evidence about a block of code from other cells: samples, and the instructions that they were seen on. */
struct evidence {
	double samples, instructions;
};

struct cell {
	struct source source;
	double sample_time, handler_time;
	uint64_t low, high, count;
	bool is_complete;   /* a cell of this source that is not among these has no samples */
	size_t first, end;  /* its parts */
	bool is_linked;     /* its first part belongs to the block of the last part of the cell before */
	bool is_restricted; /* a function that overlaps it counts as not run */
	double gap_before,
	        gap_after; /* instructions, in cells without samples, of the blocks that it begins and ends in */
	struct evidence left, right; /* of these blocks, from the cells before and after it */
};

/* All cells of the profile but coarse ones, sorted; those of equal place, source and sample time are one. *cells is the
 * caller's to free; false if memory is short. */
bool cells_collect(const struct profile *profile, struct cell **cells, size_t *count);

/* Fails if the cells lie on the same functions so many times over that dividing them would take longer than any capture
 * of a target. O(cells * log functions). */
enum status cells_check(const struct profile *profile, const struct cell *cells, size_t count, struct error *error);

/* The end of the run that begins with the first of these cells. */
size_t cells_run_end(const struct cell *cells, size_t first, size_t count);

#endif
