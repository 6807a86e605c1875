/* SPDX-License-Identifier: MIT */
/* A block of the sum, which adds up blocks of captures. Private to merge/. */
#ifndef CAPTURE_MERGE_SUM_H
#define CAPTURE_MERGE_SUM_H

#include "capture/capture.h"
#include "capture/merge/slice_pool.h"
#include "capture/stacks.h"

struct sum {
	struct capture_block block; /* owns its contexts; all its other arrays belong to the members below */
	struct tally cells, arcs, paths;
	struct slice_pool slices;
};

/* Begins an empty sum with the properties of the block; false when out of memory. */
bool sum_begin(struct sum *sum, const struct capture_block *block);
void sum_free(struct sum *sum);

/* Whether the block's counts can be added to the sum's. */
bool sum_accepts(const struct sum *sum, const struct capture_block *block);

/* Adds a block that sum_accepts(); false when out of memory. */
bool sum_add(struct sum *sum, const struct capture_block *block);

/* False when out of memory. */
bool sum_finish(struct sum *sum);

#endif
