/* SPDX-License-Identifier: MIT */
/* Code in pieces that are decoded each from its beginning: what of one function lies between data. Private to calls/.
 */
#ifndef FIRMWARE_CALLS_SEGMENTS_H
#define FIRMWARE_CALLS_SEGMENTS_H

#include "firmware/image.h"

struct segment {
	const struct image_code *code;
	const struct image_function *function; /* NULL: code that no symbol names */
	uint64_t start, end;                   /* never empty */
};

/* A walk over the segments of one section of code. */
struct segment_walk {
	const struct image *image;
	const struct image_code *code;
	const struct image_extent *extents; /* of the image */
	size_t extent_count;
	uint64_t position;
	size_t function, extent; /* the first ones that end behind position */
};

void segment_walk_begin(struct segment_walk *walk, const struct image *image, const struct image_code *code,
                        const struct image_extent *extents, size_t extent_count);
/* False at the end. */
bool segment_walk_next(struct segment_walk *walk, struct segment *segment);

/* The index of the first extent that ends behind address, count if there is none. */
size_t first_extent_after(const struct image_extent *extents, size_t count, uint64_t address);

/* The function that begins at address, however the image is divided, or NULL. A line within a function is none, nor is
 * what was inlined there. */
const struct image_function *function_with_entry(const struct image *image, uint64_t address);

#endif
