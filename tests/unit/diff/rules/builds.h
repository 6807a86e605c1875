/* SPDX-License-Identifier: MIT */
/* Comparisons made by hand, row by row. Values that are not set are unknown. */
#ifndef UNIT_DIFF_RULES_BUILDS_H
#define UNIT_DIFF_RULES_BUILDS_H

#include "diff/compare.h"

#define BUILDS_ROWS_MAX 64
#define BUILDS_WORK     100000.0
#define BUILDS_SAMPLE   0.001 /* seconds: 10 ns per unit of work */

struct builds {
	struct comparison comparison;
	struct compare_row rows[BUILDS_ROWS_MAX];
	struct pairing_pair pairs[BUILDS_ROWS_MAX];
};

/* In seconds, at the confidence of 0.95. */
void builds_begin(struct builds *builds);
/* A function; NULL: not in that build. */
struct compare_row *builds_add(struct builds *builds, const char *old, const char *new);
/* A time of this many samples, for BUILDS_WORK units of work. */
void builds_set_samples(struct compare_change *change, double old, double new);
/* A time whose error was not estimated. */
void builds_set_unsure(struct compare_change *change, double old, double new);
/* A quantity without noise, for one unit of work. */
void builds_set_exact(struct compare_change *change, double old, double new);

#endif
