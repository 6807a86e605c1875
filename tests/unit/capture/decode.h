/* SPDX-License-Identifier: MIT */
/* Decodes captures built by hand that must be accepted or refused, and describes them as text. */
#ifndef UNIT_CAPTURE_DECODE_H
#define UNIT_CAPTURE_DECODE_H

#include "../../block/build_block.h"
#include "capture/capture.h"

/* A number of size bytes that overwrites part of a block. */
struct patch {
	size_t offset;
	unsigned size;
	uint32_t value;
};

/* Decodes bytes that must be a capture. Captures and bytes are released after the test. */
struct capture *decode_bytes(const char *path, const uint8_t *bytes, size_t size);
/* The same for a block; patch may be NULL. */
struct capture *decode_block(const struct build_block *block, const struct patch *patch);

/* The bytes of a block, and of a capture as a file. */
uint8_t *bytes_of_block(const struct build_block *block, size_t *size);
uint8_t *written(const struct capture *capture, size_t *size);
/* The same for a capture of blocks. */
uint8_t *file_of_blocks(const struct build_block *blocks, size_t count, const struct capture_trailer *trailer,
                        size_t *size);
/* A capture that is written and read again. */
struct capture *write_and_decode(const struct capture *capture);

/* Nodes of path trees: kinds, and the parent of a root. */
enum { ROOT = 1, CALL = 2, LEAF = 4 };
#define NONE 0xFFFFu

/* Bytes on the heap. */
size_t allocated(void);

/* The bytes of a block with a path tree: a chain of nodes, each below the next one, up to a root, then leaves
 * below the first, with a sample each. The table is at CHAIN_AT. */
uint8_t *tree_bytes(unsigned chain, unsigned leaves, size_t *size);
#define CHAIN_AT 0x100u

/* The bytes must be refused with one line that names the file and contains words. */
void assert_bytes_refused(const uint8_t *bytes, size_t size, const char *words);
void assert_block_refused(const struct build_block *block, const struct patch *patch, const char *words);

/* Fail unless a description is as expected: "LOW-HIGH COUNT" for each cell, then "@CONTEXT" and " coarse" where they
 * apply; "CALLER>CALLEE COUNT@CONTEXT" for each arc. Addresses are hexadecimal; lines end with a newline. */
void assert_cells(const struct capture_block *block, const char *expected);
void assert_arcs(const struct capture_block *block, const char *expected);

/* "NUMBER PC LR SP FP ENTRY BYTES*WEIGHT" for each slice, BYTES for each of its stack two digits or "--" if it was not
 * kept, then "@CONTEXT" and " bad", " whole" and " withheld". */
void assert_slices(const struct capture_block *block, const char *expected);
/* "root CONTEXT end END", "PARENT call KEY" or "PARENT leaf KEY COUNT" for each node; parents are numbers of lines,
 * from 0. */
void assert_paths(const struct capture_block *block, const char *expected);

/* Fails unless both blocks have the same header, tables, sizes and losses. */
void assert_same_block(const struct capture_block *left, const struct capture_block *right);

#endif
