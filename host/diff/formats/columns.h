/* SPDX-License-Identifier: MIT */
/* The columns of a table of functions, and the lines about the firmware as a whole. Private to formats/. */
#ifndef DIFF_FORMATS_COLUMNS_H
#define DIFF_FORMATS_COLUMNS_H

#include "diff/formats/format.h"

/* The part of a quantity that a column shows. */
enum column_part {
	PART_OLD = BUILD_OLD,
	PART_NEW = BUILD_NEW,
	PART_CHANGE,
	PART_OLD_AND_NEW, /* in one cell */
	PART_DIFFERENCE,  /* new - old */
	PART_INTERVAL,    /* the confidence interval of the change */
	PART_BAR,         /* the confidence interval, drawn */
	PART_Q,
};

/* A heading has two lines, or two words: "self", which neighbouring columns may share, and "old". */
struct column {
	const char *top; /* NULL: the confidence */
	const char *bottom;
	enum compare_quantity quantity;
	enum column_part part;
	bool is_in_text, is_in_page;
};

#define COLUMNS_COUNT     19
#define COLUMNS_CELL_SIZE (2 * FORMAT_SIZE + 4)

/* A row, or an arc. */
struct column_item {
	const struct compare_row *row; /* NULL: an arc */
	const struct compare_change *changes;
	bool is_timed[BUILD_COUNT];   /* false: not in this build, or a call that carries no time */
	bool is_inlined[BUILD_COUNT]; /* calls are not counted */
};

struct column_item item_of_row(const struct compare_row *row);
struct column_item item_of_arc(const struct comparison *comparison, const struct compare_arc *arc);

/* The value in one build, without its unit. unit is the unit of times. */
const char *item_value(const struct column_item *item, enum compare_quantity quantity, enum build build,
                       const struct format_unit *unit, char text[FORMAT_SIZE]);
/* The ratio of a change, or "new" or "gone" if the function is in one build only. */
const char *item_ratio(const struct column_item *item, enum compare_quantity quantity, char text[FORMAT_SIZE]);
/* The confidence interval of the ratio. */
const char *item_confidence_interval(const struct column_item *item, enum compare_quantity quantity,
                                     char text[FORMAT_SIZE]);

extern const struct column columns_table[COLUMNS_COUNT];

/* The layout of a table as text. */
struct columns {
	const struct comparison *comparison;
	struct format_unit unit;
	char confidence[FORMAT_SIZE];
	const struct column *shown[COLUMNS_COUNT]; /* columns with a cell that is not empty */
	int widths[COLUMNS_COUNT];                 /* in characters */
	size_t count;
};

/* Measures the listed rows from first up to end. is_narrow: leaves out columns that repeat others. */
struct columns columns_measure(const struct comparison *comparison, size_t first, size_t end, bool is_narrow);

/* The first line of a shown column's heading. */
const char *columns_top(const struct columns *columns, size_t column);
/* The cell of a row, which may be empty. */
void columns_value(const struct columns *columns, size_t column, size_t row, char cell[COLUMNS_CELL_SIZE]);

/* Whether the row is worth listing. It is not if the function ran in neither build and has the same size in both. */
bool columns_is_listed(const struct compare_row *row);
size_t columns_count_listed(const struct comparison *comparison, size_t first, size_t end);
/* "3 functions within noise, below 1 % or changed only in size": describes the listed rows without changes. Without the
 * limit if min_change is 0. */
#define COLUMNS_REST_SIZE 120
const char *columns_rest(const struct comparison *comparison, char text[COLUMNS_REST_SIZE]);

/* The change of a quantity, in parentheses if it is not significant. */
void columns_change(const struct column_item *item, enum compare_quantity quantity, char cell[COLUMNS_CELL_SIZE]);

/* "41" if both builds have the same number, otherwise "41 -> 52"; "?" for an unknown number. */
void columns_calls(const struct column_item *item, char cell[COLUMNS_CELL_SIZE]);

/* A line about the firmware as a whole. */
struct columns_whole {
	const char *label;
	char old[FORMAT_SIZE], new[FORMAT_SIZE], change[COLUMNS_CELL_SIZE], interval[FORMAT_SIZE];
};

#define COLUMNS_WHOLE_MAX 3
/* Fills lines; returns how many there are. */
size_t columns_of_whole(const struct comparison *comparison, struct columns_whole lines[COLUMNS_WHOLE_MAX]);

#endif
