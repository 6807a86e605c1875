/* SPDX-License-Identifier: MIT */
/*
 * Stacks that would make the call graphs of a comparison, of both builds in one tree: nobody recorded them, so each
 * caller of a function is given the same share of what that calls (gprof's assumption). Private to difference/.
 */
#ifndef PROFILE_ANALYSIS_STACKS_H
#define PROFILE_ANALYSIS_STACKS_H

#include "diff/compare.h"

/* "No such frame"; it is the root's number, which is of no row and nobody's child. */
#define STACKS_ROOT 0

struct stacks_frame {
	size_t row;
	size_t parent;                    /* STACKS_ROOT: the stack begins here */
	size_t depth;                     /* of the outermost ones, 1 */
	size_t first_child, next_sibling; /* STACKS_ROOT: there is none */
	double times[BUILD_COUNT];        /* where it is the innermost one, per unit of work */
};

struct stacks {
	struct stacks_frame *frames; /* those of depth 1 are frames 1 to the number of rows, by row */
	size_t count;
	double times[BUILD_COUNT]; /* of all stacks */
};

#define STACKS_DEPTH_MAX 200

/*
 * A stack ends where less than a ten thousandth of all time is left, where a row would stand in it twice, and at a
 * depth of STACKS_DEPTH_MAX: what is left then stays with the frame that was reached. False if memory is short. Freed
 * by stacks_free(), also after a failure.
 */
bool stacks_expand(const struct comparison *comparison, struct stacks *stacks);
void stacks_free(struct stacks *stacks);

#endif
