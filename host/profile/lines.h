/* SPDX-License-Identifier: MIT */
/* Source lines of a profile. */
#ifndef PROFILE_LINES_H
#define PROFILE_LINES_H

#include "profile/profile.h"

/*
 * The share of a source line in a function: the code generated from the line, and the function's calls if it begins
 * there. Code of an inlined function counts at its own line and, separately, at the line that called it.
 */
struct profile_line {
	const char *file; /* as in DWARF; NULL: unknown line */
	int line;
	const char *function; /* as in the ELF or DWARF; escape before printing */
	bool is_inlined;      /* function was inlined into the node's function */
	size_t node;          /* the node that has the samples */
	double self_samples, self_time, self_variance;
	double function_variance; /* its part of the variance of its function, or of the inlined one: less than its own,
	                             because lines of a function may share a bin */
	double inlined_time;      /* time of functions that were inlined at calls on this line */
	bool has_run;   /* in some cell with samples, every block has code of the line, so it ran if calls return */
	uint64_t calls; /* calls of the function that begins on this line */
};

/* The time while a line was on the stack: its own code or code that it called ran. Recursion counts once. */
struct profile_line_total {
	const char *file; /* as in DWARF */
	int line;
	size_t node;           /* a node that has code of the line */
	double time, variance; /* in the profile's time unit */
	bool is_lower_bound;   /* as for a node */
};

/* Sampled code of one line, function and chain of inlined functions (image_inlines()). */
struct profile_code {
	uint64_t low, high;
	const char *file; /* as in DWARF */
	int line;
	size_t node; /* the node that has the samples */
	double samples;
};

/*
 * Adds to a finished profile its source lines: the times of its captures by line and inlined function, and the code
 * that was sampled. Without DWARF all time is on an unknown line.
 */
enum status analysis_find_lines(struct profile *profile, struct error *error);

/* Adds the total times of source lines to a measured profile, which must have lines; does nothing without stacks. */
enum status analysis_find_line_totals(struct profile *profile, struct error *error);

/* The total time of a line, or NULL. */
const struct profile_line_total *profile_find_line_total(const struct profile *profile, const char *file, int line);

#endif
