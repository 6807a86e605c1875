/* SPDX-License-Identifier: MIT */
/* One block of the sum. Private to merge/. */
#ifndef CAPTURE_MERGE_SUM_H
#define CAPTURE_MERGE_SUM_H

#include "capture/capture.h"
#include "capture/merge/tally.h"

struct sum {
	struct capture_block block; /* its tables are those of the tallies, once it is finished; contexts are its own */
	struct tally cells, arcs;
};

/* Begins an empty sum with the properties of the block; false when memory runs out. */
bool sum_begin(struct sum *sum, const struct capture_block *block);
void sum_free(struct sum *sum);

/* True if counts of the block mean the same as those of the sum. */
bool sum_accepts(const struct sum *sum, const struct capture_block *block);

/* Adds the block, which must be accepted; false when memory runs out. */
bool sum_add(struct sum *sum, const struct capture_block *block);

void sum_finish(struct sum *sum);

#endif
