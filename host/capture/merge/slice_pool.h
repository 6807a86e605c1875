/* SPDX-License-Identifier: MIT */
/* The slices of a sum: the slices of all its blocks with their weights, or a uniform sample of them if there are too
 * many. Private to merge/. */
#ifndef CAPTURE_MERGE_SLICE_POOL_H
#define CAPTURE_MERGE_SLICE_POOL_H

#include "capture/capture.h"

/* The maximum number of slices in a block of a sum, and of bytes of stack in all of them. */
#define SLICE_POOL_MAX       65536u
#define SLICE_POOL_BYTES_MAX (UINT32_C(64) << 20)

struct pooled_slice {
	struct capture_slice slice;
	uint64_t index;  /* position among all added slices */
	uint8_t *memory; /* of the slice's stack */
};

/* Initially all zero. */
struct slice_pool {
	struct pooled_slice *pooled;
	size_t count;
	uint64_t added;
	double weight;  /* the sum of the weights of all added slices */
	uint32_t room;  /* the maximum room for stack in a slice of any block */
	unsigned width; /* bytes of an address */
	struct capture_slice *slices;
};

void slice_pool_free(struct slice_pool *pool);

/* Adds the slices of a block; false when out of memory. */
bool slice_pool_add(struct slice_pool *pool, const struct capture_block *block);

/* Gives the slices to the block, which does not own them, with new numbers. Nothing may be added afterwards. False when
 * out of memory. */
bool slice_pool_finish(struct slice_pool *pool, struct capture_block *block);

#endif
