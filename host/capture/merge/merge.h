/* SPDX-License-Identifier: MIT */
/*
 * Merging of captures of one firmware, one after the other. Memory grows with the number of distinct cells, arcs and
 * call paths, not with the number of captures.
 */
#ifndef CAPTURE_MERGE_MERGE_H
#define CAPTURE_MERGE_MERGE_H

#include "base/status.h"
#include "capture/capture.h"

struct merge;

/* Begins an empty sum. force: also accept captures of other builds, in separate blocks. NULL when out of memory. */
struct merge *merge_create(bool force);
void merge_free(struct merge *merge);

/*
 * Adds a capture. Each of its blocks is added to the block of the sum with the same core, build, clock, period, state,
 * ranges, stores, unwind table and names of contexts; if there is none, a new one begins. Fails if the byte order or
 * address size differs, or, unless force was set, the build. After a failure, only merge_free() may be called.
 */
enum status merge_add(struct merge *merge, const struct capture *capture, struct error *error);

/* The byte order and address size of the captures; NULL before the first. */
const struct capture_order *merge_order(const struct merge *merge);

/* Returns the sum, which belongs to merge. Call it once, after the last capture. name is for messages. */
enum status merge_finish(struct merge *merge, const char *name, const struct capture **sum, struct error *error);

#endif
