/* SPDX-License-Identifier: MIT */
/* A block being written in merged form. Private to write.c and write_stacks.c. */
#ifndef CAPTURE_WRITER_H
#define CAPTURE_WRITER_H

#include "capture/capture.h"

/* A file being written, with its final size allocated. Offsets are relative to the block. */
struct writer {
	uint8_t *bytes;
	const struct capture_block *block;
};

/* Writes the low size bytes of a number in the order of the target. */
static inline void writer_put(const struct writer *writer, uint64_t offset, uint64_t value, unsigned size)
{
	for (unsigned i = 0; i < size; i++) {
		unsigned byte = writer->block->header.order.big_endian ? size - 1 - i : i;

		writer->bytes[offset + i] = (uint8_t)(value >> (8 * byte));
	}
}

/* The size of an item of the section of slices, in bytes. */
unsigned writer_slice_size(const struct capture_block *block);
/* The parameter of the section of slices. */
unsigned writer_slice_parameter(const struct capture_block *block);

/* Write the items of a section at offset. */
void writer_put_slices(const struct writer *writer, uint64_t offset);
void writer_put_paths(const struct writer *writer, uint64_t offset);
void writer_put_stack_totals(const struct writer *writer, uint64_t offset);

#endif
