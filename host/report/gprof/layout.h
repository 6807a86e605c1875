/* SPDX-License-Identifier: MIT */
/* Buffered output of text and numbers padded to a width. It is like printf(), but much faster: a call graph of a
 * million arcs has eight million fields. */
#ifndef REPORT_GPROF_LAYOUT_H
#define REPORT_GPROF_LAYOUT_H

#include <inttypes.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define LAYOUT_SIZE  65536
#define LAYOUT_SLACK 32 /* room to write a number without a check */

/* The owner of the stream checks it for errors. */
struct layout {
	FILE *stream;
	size_t used;
	char bytes[LAYOUT_SIZE + LAYOUT_SLACK];
};

void layout_begin(struct layout *layout, FILE *stream);
/* Writes out the buffer. */
void layout_flush(struct layout *layout);

void layout_text(struct layout *layout, const char *text);
void layout_spaces(struct layout *layout, size_t count);
/* Like printf's %*s: right-aligned in a field of width characters, left-aligned if width is negative. */
void layout_cell(struct layout *layout, const char *text, int width);
/* Like layout_cell(), truncated to the width. */
void layout_cut_cell(struct layout *layout, const char *text, int width);
/* Like printf's %*u. */
void layout_count(struct layout *layout, uint64_t count, int width);
/* Like layout_count(), between two brackets, such as "[]". */
void layout_bracketed(struct layout *layout, uint64_t count, const char *brackets, int width);
/* Like printf's %*.*f, equal to the last digit; decimals is at most 4. */
void layout_number(struct layout *layout, double number, int width, int decimals);

#endif
