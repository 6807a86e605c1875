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
	struct sample_source source;
	double sample_time;  /* the time that one sample represents, in the profile's unit */
	double handler_time; /* time of the sampling interrupt that took it */
	uint64_t size;       /* size of the cell in bytes; 0: the samples have no cell */
	size_t node;         /* the owner; PROFILE_NONE: the parts have owners */
	/* Range of the profile's group_parts, sorted by address; empty where there is no code. */
	size_t first_part, part_count;
	double spread; /* variance of the difference between the samples and the expected samples of all parts */
};

/* The share of a node in the samples of one cell, an array of the profile. All passes over samples use them. */
struct share {
	size_t node;
	struct sample_source source;
	double samples;
	double variance;                  /* variance of their number, without counting statistics */
	double sample_time, handler_time; /* as in struct sample_group */
	uint64_t shared_samples;          /* all samples of the cell if several nodes share it */
	bool is_first;                    /* the first share of its cell; the cell's other shares follow */
};

/* Fills in the groups of a profile that has none: one for each cell that has samples. Creates nodes for code outside
 * functions. */
enum status groups_make(struct profile *profile, struct error *error);

static inline const struct group_part *group_parts(const struct profile *profile, const struct sample_group *group)
{
	return profile->group_parts + group->first_part;
}

/*
 * The variance of the estimated samples of some of the code in a cell. The code is a fraction of each part; gain, first
 * and second are the sums of fraction * gain, fraction * variance and fraction^2 * variance.
 */
double group_variance(const struct sample_group *group, double gain, double first, double second);

#endif
