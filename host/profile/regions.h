/* SPDX-License-Identifier: MIT */
/* The time by region of memory. */
#ifndef PROFILE_REGIONS_H
#define PROFILE_REGIONS_H

#include "profile/profile.h"

/* The time in a part of memory, such as flash or RAM. A function belongs to the region in which it begins. */
struct profile_region {
	const char *name;     /* from the image or the user; NULL: outside all regions. Escape before printing */
	uint64_t start, end;  /* [start, end) */
	double time;          /* includes code without a symbol */
	double recorder_time; /* the recorder's part of it */
	double variance;      /* variance of time; 0 until it is estimated */
	size_t function_count;
	uint64_t function_bytes; /* the bytes of its functions */
};

/*
 * Adds to a finished profile the time by region of memory. regions are sorted, not empty and not overlapping, and their
 * names must outlive the profile; count 0: the regions of the image. Errors are estimated only if more than one region
 * has time. The times of all regions add up to all time.
 */
enum status analysis_find_regions(struct profile *profile, const struct image_region *regions, size_t count,
                                  struct error *error);

/* The index of the region that contains a node's function or code; region_count - 1 if no region does. Needs the
 * regions. */
size_t profile_region_of(const struct profile *profile, const struct profile_node *node);

#endif
