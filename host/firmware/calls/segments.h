/* SPDX-License-Identifier: MIT */
/* Segments of code, each decoded from its start: the parts of one function between data. Private to calls/ and unwind/.
 */
#ifndef FIRMWARE_CALLS_SEGMENTS_H
#define FIRMWARE_CALLS_SEGMENTS_H

#include "firmware/calls/decoder.h"

struct segment {
	const struct image_code *code;
	const struct image_function *function; /* NULL: code without a symbol */
	uint64_t start, end;                   /* never empty */
};

/* A walk over the segments of one code section. */
struct segment_walk {
	const struct image *image;
	const struct image_code *code;
	const struct image_extent *extents; /* extents of the image */
	size_t extent_count;
	uint64_t position;
	size_t function, extent; /* the first ones that end after position */
};

void segment_walk_begin(struct segment_walk *walk, const struct image *image, const struct image_code *code,
                        const struct image_extent *extents, size_t extent_count);
/* False at the end. */
bool segment_walk_next(struct segment_walk *walk, struct segment *segment);

/* Calls found() for each segment of the image's code, until it returns false. False then, or when out of memory. */
typedef bool (*segment_found)(void *context, const struct segment *segment);
bool each_segment(const struct image *image, segment_found found, void *context);

/* A walk over the instructions of a segment. */
struct instruction_walk {
	const struct decoder *decoder;
	struct code_place place;          /* place of the instruction */
	struct known_registers registers; /* after it; the caller forgets those that may have other values */
	struct instruction instruction;
};

void instruction_walk_begin(struct instruction_walk *walk, const struct decoder *decoder, const struct image *image,
                            const struct segment *segment);
/* Decodes the next instruction. False at the end, or if the rest is a truncated instruction: place.size is not 0. */
bool instruction_walk_next(struct instruction_walk *walk);
/* Forgets all registers, and watches one from the next instruction on: it is set to a value that no jump targets. */
void instruction_walk_watch(struct instruction_walk *walk, unsigned watched);
/* True if no instruction since instruction_walk_watch() changed the register. */
bool instruction_walk_keeps(const struct instruction_walk *walk, unsigned watched);
/* How the instruction moves the stack and loads registers before the next one runs; not for jumps and calls. */
struct stack_effect instruction_walk_effect(const struct instruction_walk *walk);

/* The index of the first extent that ends after address; count if there is none. */
size_t first_extent_after(const struct image_extent *extents, size_t count, uint64_t address);

/* Calls found() for all data: the data sections of the image, and the extents of data among its code. */
typedef void (*data_found)(void *context, uint64_t address, const uint8_t *bytes, uint64_t size);
void each_data(const struct image *image, const struct image_extent *extents, size_t count, data_found found,
               void *context);

/* The function that begins at address, independent of the current division, or NULL. Lines within functions and split
 * inlined code do not count. */
const struct image_function *function_with_entry(const struct image *image, uint64_t address);

#endif
