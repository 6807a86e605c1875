/* SPDX-License-Identifier: MIT */
/* The rows of annotated source, and how they are printed. Private to report/. */
#ifndef REPORT_ANNOTATION_H
#define REPORT_ANNOTATION_H

#include "report/report.h"

/* All that a source line has. */
struct annotation_row {
	const char *file; /* NULL: the line is unknown */
	bool is_recorder; /* which has no lines */
	int line;
	double self_time, self_variance, inlined_time;
	uint64_t calls;
};

/* The rows of one source file. */
struct annotation_file {
	const struct annotation_row *rows;
	size_t count;
	double self_time;
};

/* Columns as wide as this annotation needs them, without the gaps between them. */
struct annotation_widths {
	int share, self, error, inlined, calls;
};

struct annotation {
	const struct report *report;
	const struct output_annotate_options *options;
	struct annotation_row *rows; /* by file and line; then one of no file, one of the recorder */
	size_t row_count;
	struct annotation_widths widths;
};

struct annotation_widths annotation_measure(const struct report *report);

/* last: the heading to the right of the columns. */
void annotation_print_headings(const struct annotation *annotation, const char *last);
/* With its place in place of text. */
void annotation_print_row(const struct annotation *annotation, const struct annotation_row *row);
/* All rows of a file in the text of its source or, where that is not found, without. */
void annotation_print_file(const struct annotation *annotation, const struct annotation_file *file);

#endif
