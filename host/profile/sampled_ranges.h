/* SPDX-License-Identifier: MIT */
/* The code that shares samples, for disassembly. */
#ifndef PROFILE_SAMPLED_RANGES_H
#define PROFILE_SAMPLED_RANGES_H

#include "profile/profile.h"

/* The part of a bin or granule within one basic block: the instructions there share its samples. */
struct profile_sampled_range {
	uint64_t low, high;
	size_t node;
	double time, variance; /* in the profile's time unit */
};

/* Adds to a finished profile the ranges of code that share samples. */
enum status analysis_find_sampled_ranges(struct profile *profile, struct error *error);

/* The sampled range that contains the address, or NULL. O(log n). */
const struct profile_sampled_range *profile_find_sampled_range(const struct profile *profile, uint64_t address);

#endif
