/* SPDX-License-Identifier: MIT */
/* Assignment of the samples of each cell to their owners, the only place that does it, for times and for their errors.
 * Cells of several captures that cover the same code, in the same context and on the same core, are merged. */
#ifndef PROFILE_SAMPLES_GROUPS_H
#define PROFILE_SAMPLES_GROUPS_H

#include "profile/profile.h"
#include "profile/samples/presence.h"

/* A part of a cell within one basic block of one function. */
struct group_part {
	uint64_t low, high;
	size_t function, node;
	double instructions; /* instructions that begin here; bytes if the code cannot be decoded */
	double samples;      /* the part's share of the cell's samples; the shares add up to all of them */
	/* The samples that the block's other cells predict, their variance, and whether there are such cells. */
	double expected, variance;
	bool has_evidence;
	double gain; /* the part's fraction of the samples beyond those expected; 1 over all parts */
};

/* The samples of one cell, or samples that a block counted outside all cells. */
struct sample_group {
	uint64_t count;
	struct source source;
	double sample_time;  /* the time that one sample represents, in the profile's unit */
	double handler_time; /* time of the sampling interrupt that took it */
	uint64_t size;       /* the cell's, in bytes; 0: the samples have no cell */
	size_t node;         /* the owner; PROFILE_NONE: the nodes of the parts */
	/* Sorted by address; none where there is no code. Valid until found() returns. */
	const struct group_part *parts;
	size_t part_count;
	double spread; /* variance of the difference between the samples and those expected of all parts */
};

typedef enum status (*group_found)(void *context, const struct sample_group *group, struct error *error);

/* Calls found() for each group that has samples, until one fails. Makes nodes for code outside functions. */
enum status groups_each(struct profile *profile, group_found found, void *context, struct error *error);

/*
 * The variance of the estimated samples of some of the code in a cell. The code is a fraction of each part; gain, first
 * and second are the sums of fraction * gain, fraction * variance and fraction^2 * variance.
 */
double group_variance(const struct sample_group *group, double gain, double first, double second);

#endif
