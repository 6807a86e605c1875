/* SPDX-License-Identifier: MIT */
/* The callers of each function of a call graph, and the division of samples among them. Private to stacks. */
#ifndef PROFILE_STACKS_CALLERS_H
#define PROFILE_STACKS_CALLERS_H

#include "profile/stacks/stacks.h"

/* No function: the time of a callee that none of its callers accounts for. */
#define CALLERS_NONE SIZE_MAX

/* A caller of a function, or of one member of a cycle. */
struct caller {
	size_t node;  /* or CALLERS_NONE */
	size_t entry; /* the function that it calls */
	double part;  /* share of the function's or cycle's time; the shares of all callers add up to 1 */
	double owed;  /* grains that rounding has kept from it so far; negative: given to it */
};

/* The share of one caller in the samples that are divided. */
struct caller_share {
	struct caller *caller;
	uint64_t samples;
	double exact; /* in grains */
};

struct callers {
	size_t node_count;
	const size_t *cycles;
	struct caller *items; /* the callers of unit n are items[first[n]] up to items[first[n + 1]] */
	size_t *first;
	struct caller_share *shares; /* the result of callers_divide() */
};

/* The graph must outlive *callers. False when out of memory. Freed by callers_free(), also after a failure. */
bool callers_find(struct callers *callers, const struct stacks_graph *graph);
void callers_free(struct callers *callers);

/* The number of callers of a function, or of the cycle that it is in. 0: a stack begins with it. */
size_t callers_of(const struct callers *callers, size_t node);

/*
 * Divides samples among the callers of node, which must have some. Stores the shares above 0 in callers->shares and
 * returns their number. 0 samples go to the caller with the largest part. Samples are divided in grains, and the
 * samples that fill no grain stay together. O(n log n) in the number of callers.
 */
size_t callers_divide(struct callers *callers, size_t node, uint64_t samples, uint64_t grain);

#endif
