/* SPDX-License-Identifier: MIT */
/* Who owns the samples of each cell of the captures: the one rule for times and for their errors. */
#ifndef ANALYSIS_GROUPS_H
#define ANALYSIS_GROUPS_H

#include "model/profile.h"

/* The samples of one cell, or those that a block counts outside of all cells. */
struct sample_group {
	uint64_t count;
	double sample_time;  /* of one, in the profile's unit */
	double handler_time; /* of the sampling interrupt that took it */
	/* Whose they are; PROFILE_NONE: the image's functions from first up to end share them, by the bytes of the cell
	 * that each covers. */
	size_t node;
	size_t first, end;
	uint64_t low, high; /* the cell */
	uint64_t bytes;     /* of it that the functions cover together */
};

typedef enum status (*group_found)(void *context, const struct sample_group *group, struct error *error);

/* Calls found() for each group that has samples, until one fails. Makes nodes for those that are no functions. */
enum status groups_each(struct profile *profile, group_found found, void *context, struct error *error);

/* How many bytes of the group's cell the function covers, and from where on. */
uint64_t group_overlap(const struct sample_group *group, const struct image_function *function, uint64_t *low);

#endif
