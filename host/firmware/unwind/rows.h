/* SPDX-License-Identifier: MIT */
/* Frame information as rows: for each extent of code, where the registers of its caller are. Compiled from DWARF. */
#ifndef FIRMWARE_UNWIND_ROWS_H
#define FIRMWARE_UNWIND_ROWS_H

#include "firmware/calls/calls.h"

/* How a register of the caller is found. */
enum frame_rule {
	FRAME_SAME,    /* in its register */
	FRAME_SAVED,   /* in memory, at the caller's stack pointer plus an offset */
	FRAME_NONE,    /* it has no value; if it is the return address, the function is the outermost one */
	FRAME_UNKNOWN, /* by a rule that is not followed, such as an expression */
};

/* The register that the caller's stack pointer (DWARF's CFA) is computed from. */
enum frame_base { FRAME_FROM_SP, FRAME_FROM_FP, FRAME_FROM_UNKNOWN };

/* [low, high), not empty. */
struct frame_row {
	uint64_t low, high;
	uint8_t base;                 /* enum frame_base */
	uint8_t ra, fp;               /* enum frame_rule, of the return address and the frame pointer */
	int32_t offset;               /* from the base to the caller's stack pointer */
	int32_t ra_offset, fp_offset; /* for FRAME_SAVED: from the caller's stack pointer */
};

struct frame_rows {
	struct frame_row *rows; /* sorted by low, not overlapping; none spans functions. Owned here */
	size_t count;
};

/* Compiles all rows of an image with these calls. On success the caller frees *rows by frame_rows_free(). */
enum status frame_rows_compile(const struct image *image, const struct calls *calls, struct frame_rows *rows,
                               struct error *error);
void frame_rows_free(struct frame_rows *rows);

/* Sorts rows by low. */
void frame_rows_sort(struct frame_row *rows, size_t count);
/* Replaces parts of rows by found ones, each of which begins within a row and counts until that row ends. Of two found
 * rows that overlap, the first counts. Sorts found. False when out of memory, with the rows unchanged. */
bool frame_rows_divide(struct frame_rows *rows, struct frame_row *found, size_t count);

/* True if a row overlaps [low, high). O(log n). */
bool frame_rows_overlap(const struct frame_rows *rows, uint64_t low, uint64_t high);

/* The row that contains the address, or NULL. O(log n). */
const struct frame_row *frame_row_at(const struct frame_rows *rows, uint64_t address);

#endif
