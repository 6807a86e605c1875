/* SPDX-License-Identifier: MIT */
/*
 * Cells of text and numbers, justified to a width and buffered: what printf does, much faster, since a call graph of a
 * million arcs is eight million of them. Knows nothing of what the columns are.
 */
#ifndef REPORT_GPROF_LAYOUT_H
#define REPORT_GPROF_LAYOUT_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define COLUMNS_SIZE  65536
#define COLUMNS_SLACK 32 /* what may be written beyond what is used */

/* On its way to stream; errors of the stream are left to its owner. */
struct columns {
	FILE *stream;
	size_t used;
	char bytes[COLUMNS_SIZE + COLUMNS_SLACK];
};

void columns_begin(struct columns *columns, FILE *stream);
/* Hands over what is still held back. */
void columns_flush(struct columns *columns);

void columns_text(struct columns *columns, const char *text);
void columns_spaces(struct columns *columns, size_t count);
/* As printf's %*s: to the right of a field of width characters; to its left where width is negative. */
void columns_cell(struct columns *columns, const char *text, int width);
/* The same, cut to the width. */
void columns_cut_cell(struct columns *columns, const char *text, int width);
/* As printf's %*llu. */
void columns_count(struct columns *columns, uint64_t count, int width);
/* The same between two brackets, "[]". */
void columns_bracketed(struct columns *columns, uint64_t count, const char *brackets, int width);
/* As printf's %*.*f, to the last digit; decimals is at most 4. */
void columns_number(struct columns *columns, double number, int width, int decimals);

#endif
