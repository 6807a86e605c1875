/* SPDX-License-Identifier: MIT */
/* The rows of annotated source, and functions that print them. Private to report/. */
#ifndef REPORT_ANNOTATION_H
#define REPORT_ANNOTATION_H

#include "report/report.h"
#include "report/source.h"

/* A row: the times and calls of one source line. */
struct annotation_row {
	const char *file; /* NULL: the line is unknown */
	bool is_recorder; /* the row of the recorder, which has no lines */
	bool is_folded;   /* not printed with its file */
	int line;
	double self_time, self_variance, inlined_time;
	double total_time, total_variance; /* measured, of the line in all functions; 0: unknown */
	bool is_lower_bound;               /* whether total_time is one */
	uint64_t calls;
};

/* The rows of one source file. */
struct annotation_file {
	const struct annotation_row *rows;
	size_t count, shown; /* shown: the number of rows that are not folded */
	double self_time;
};

#define ANNOTATION_COLUMNS_MAX 7

struct annotation {
	const struct report *report;
	const struct output_annotate_options *options;
	struct annotation_row *rows; /* by file and line, then the row without a file, then the recorder's row */
	size_t row_count;
	struct report_column columns[ANNOTATION_COLUMNS_MAX];
	size_t column_count;
	struct sources sources;
	struct demangler *demangler; /* for names as users type them */
};

/* Lines of source shown before and after a line that has time or calls. */
#define ANNOTATION_LINES_AROUND 3

/* Returns the number of columns. */
size_t annotation_choose_columns(const struct report *report, struct report_column columns[ANNOTATION_COLUMNS_MAX]);

/* The maximum number of bytes shown of a source line: generated code has lines of megabytes. */
#define SOURCE_LENGTH_MAX 1000

/* last: the heading to the right of the columns. */
void annotation_print_headings(const struct annotation *annotation, const char *last);
/* Prints a row with its file and line instead of source text. */
void annotation_print_row(const struct annotation *annotation, const struct annotation_row *row);
/* Prints the shown rows of a file within its source, or without source if it is not found. */
void annotation_print_file(struct annotation *annotation, const struct annotation_file *file);

/* Prints the columns of a row, but does not end the line. NULL: a line without time and calls. */
void annotation_print_values(const struct annotation *annotation, const struct annotation_row *row);
/* Prints the instructions of the chosen functions, most time first. */
enum status annotation_print_instructions(struct annotation *annotation, struct error *error);

#endif
