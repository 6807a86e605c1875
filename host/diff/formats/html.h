/* SPDX-License-Identifier: MIT */
/* The parts of the page of a comparison. Private to formats/. */
#ifndef DIFF_FORMATS_HTML_H
#define DIFF_FORMATS_HTML_H

#include "diff/formats/columns.h"
#include "diff/formats/output.h"

struct diff_page {
	const struct diff_output *output;
	const struct comparison *comparison;
	struct format_unit unit, call_unit;          /* of times per unit of work, and of times per call */
	const struct column *columns[COLUMNS_COUNT]; /* the columns that have known values */
	size_t column_count;
	FILE *stream;
	struct error *error;
	enum status status; /* result of printing the data */
};

/* The interval of a ratio on a logarithmic axis, from a quarter at -100 to four times at 100, as the `d` attribute
 * of SVG paths; "" if unknown or outside the axis. */
#define HTML_PATH_SIZE 32
struct html_bar {
	char interval[HTML_PATH_SIZE], estimate[HTML_PATH_SIZE], arrows[HTML_PATH_SIZE];
};

/* One column's cell of a row or an arc. */
struct html_cell {
	char text[FORMAT_SIZE];       /* for a bar, its interval in words */
	char hint[FORMAT_SIZE];       /* tooltip; "": none */
	double key;                   /* to sort by; NAN: no value */
	enum compare_verdict verdict; /* COMPARE_UNKNOWN: no verdict */
	bool is_bar;
	struct html_bar bar;
};

/* Chooses columns and units for the comparison. */
void html_find_columns(struct diff_page *html);
/* column is an index of html->columns. */
void html_fill_cell(const struct diff_page *html, size_t column, const struct column_item *item,
                    struct html_cell *cell);
void html_print_title(const struct diff_page *html, size_t column);
/* Whether arcs have this column. */
bool html_is_of_arcs(const struct diff_page *html, size_t column);

/* All rows, arcs and paths, for the scripts. */
enum status html_print_data(const struct diff_page *html, struct error *error);

#endif
