/* SPDX-License-Identifier: MIT */
/*
 * Who owns the samples of each cell of the captures: the one rule for times and for their errors. Cells of all captures
 * that lie on the same code, in the same context and of the same core are one.
 */
#ifndef ANALYSIS_GROUPS_H
#define ANALYSIS_GROUPS_H

#include "model/profile.h"

/* A part of a cell within one basic block of one function. */
struct group_part {
	uint64_t low, high;
	size_t function, node;
	double instructions; /* that begin here; bytes where nobody can decode them */
	double samples;      /* the part's share of the cell's; all parts have all of them */
	/* What was expected from the block's samples in other cells: how much, with which variance, and whether there
	 * were any. */
	double expected, variance;
	bool has_evidence;
	double gain; /* the part's share of what the cell has beyond all that was expected; all parts together: 1 */
};

/* The samples of one cell, or those that a block counts outside of all cells. */
struct sample_group {
	uint64_t count;
	double sample_time;  /* of one, in the profile's unit */
	double handler_time; /* of the sampling interrupt that took it */
	uint64_t size;       /* of the cell, in bytes; 0: they are of none */
	size_t node;         /* whose they are; PROFILE_NONE: of the nodes of the parts */
	/* By address; none where no code lies. Valid until found() returns. */
	const struct group_part *parts;
	size_t part_count;
	double spread; /* variance of the difference between the samples and what was expected of all parts */
};

typedef enum status (*group_found)(void *context, const struct sample_group *group, struct error *error);

/* Calls found() for each group that has samples, until one fails. Makes nodes for those that are no functions. */
enum status groups_each(struct profile *profile, group_found found, void *context, struct error *error);

/*
 * The variance of an estimate: of the samples that some of the code in a cell should have. The code is a fraction of
 * each part; gain, first and second are the sums of fraction * gain, fraction * variance and fraction^2 * variance.
 */
double group_variance(const struct sample_group *group, double gain, double first, double second);

#endif
