/* SPDX-License-Identifier: MIT */
/* The code of an image in pieces of one source line each. Private to profile/. */
#ifndef PROFILE_LINES_LINE_PIECES_H
#define PROFILE_LINES_LINE_PIECES_H

#include "firmware/image.h"

/* A range of code of the same line, function and inlined functions. */
struct line_piece {
	uint64_t low, high;
	const char *file;
	int line;
	size_t row; /* for use by the pass; initially 0 */
	double samples, time;
};

/* All zero before line_pieces_find(). */
struct line_pieces {
	struct line_piece *items; /* sorted, never overlapping */
	size_t count;
	uint64_t *cuts; /* rising: where code of other functions begins */
	size_t cut_count;
	bool out_of_memory;
};

/* False when out of memory. Freed by line_pieces_free(), also after a failure. */
bool line_pieces_find(struct line_pieces *pieces, const struct image *image);
void line_pieces_free(struct line_pieces *pieces);

/* The largest cell, in bytes, a power of two below cell_size, that would leave less than the given part of all samples
 * in cells with several sampled lines; 0: there is none. O(count log cell_size). */
uint64_t line_pieces_separating_size(const struct line_pieces *pieces, uint64_t cell_size, double part);

/* The index of the first piece that ends after address, or count. O(log n). */
size_t line_pieces_after(const struct line_pieces *pieces, uint64_t address);

#endif
