/* SPDX-License-Identifier: MIT */
/* Where the time of one build goes along its call graph: what each row of a comparison keeps, and what it hands on to
 * its callees. Private to difference/. */
#ifndef DIFF_FORMATS_FLOW_H
#define DIFF_FORMATS_FLOW_H

#include "diff/compare.h"

/* Time for a row, per unit of work. */
struct flow_part {
	size_t row;
	double time;
};

struct flow {
	const struct comparison *comparison;
	enum build build;
	double time;     /* all self time */
	double *totals;  /* by row: self time and what its calls answer for */
	double *callers; /* by row: what callers outside its cycle answer for */
	/* By row, most time first: those of row n are callees[first_callee[n]] up to callees[first_callee[n + 1]]. */
	struct flow_part *callees;
	size_t *first_callee;
	/* The same by number of the cycle: its members with their totals. */
	struct flow_part *members;
	size_t *first_member;
	size_t cycle_count; /* the highest number */
};

/* Recursion, and calls within a cycle, carry no time. */
bool flow_is_timed(const struct comparison *comparison, enum build build, const struct compare_arc *arc);

/* What orders the callers or the callees of a function: total time in the build in which that is larger. */
double flow_weight(const struct compare_arc *arc);

/* False if memory is short. Freed by flow_free(), also after a failure. */
bool flow_create(const struct comparison *comparison, enum build build, struct flow *flow);
void flow_free(struct flow *flow);

#endif
