/* SPDX-License-Identifier: MIT */
/* See lists.h. */
#include "top/lists.h"

#include <math.h>

#define CELL_SIZE 32

struct list_column {
	const char *heading;
	void (*print)(const struct profile *profile, double value, char *cell, size_t size);
	enum top_figure figure;
	int width;
};

static void print_percent_cell(const struct profile *profile, double value, char *cell, size_t size)
{
	(void)profile;
	snprintf(cell, size, "%.2f", value);
}

static void print_count_cell(const struct profile *profile, double value, char *cell, size_t size)
{
	(void)profile;
	snprintf(cell, size, "%.0f", value);
}

/* The number of decimals for three significant digits. */
static int decimals_for(double value)
{
	return value < 9.995 ? 2 : value < 99.95 ? 1 : 0;
}

/* Prints a time of the profile. Seconds are shown in the largest unit in which they are at least 1. */
static void print_time_cell(const struct profile *profile, double value, char *cell, size_t size)
{
	static const char *const units[] = {"s ", "ms", "us", "ns"};
	size_t unit = 0;

	if (profile->time_unit == PROFILE_SAMPLES) {
		snprintf(cell, size, "%.*f", decimals_for(value), value);
		return;
	}
	for (; unit + 1 < sizeof units / sizeof *units && value < 0.9995; unit++)
		value *= 1000;
	snprintf(cell, size, "%.*f %s", decimals_for(value), value, units[unit]);
}

#define TOTALS                                              \
	{                                                   \
		"total %", print_percent_cell, TOP_TOTAL, 8 \
	}
#define CALLS                                            \
	{                                                \
		"calls", print_count_cell, TOP_CALLS, 10 \
	}
static const struct list_column function_columns[] = {{"self %", print_percent_cell, TOP_SELF, 7},
                                                      {"+/-", print_percent_cell, TOP_SELF_ERROR, 5},
                                                      TOTALS,
                                                      {"+/-", print_percent_cell, TOP_TOTAL_ERROR, 5},
                                                      CALLS,
                                                      {"total/call", print_time_cell, TOP_CALL_TIME, 11},
                                                      {.heading = NULL}};
static const struct list_column arc_columns[] = {
        TOTALS, CALLS, {"time/call", print_time_cell, TOP_CALL_TIME, 11}, {.heading = NULL}};
static const struct list_column context_columns[] = {
        {"time %", print_percent_cell, TOP_SELF, 7},          {"+/-", print_percent_cell, TOP_SELF_ERROR, 5},
        {"switches", print_count_cell, TOP_SWITCHES, 10},     CALLS,
        {"recorder %", print_percent_cell, TOP_RECORDER, 11}, {.heading = NULL}};

static const struct {
	const struct list_column *columns;
	const char *rows;
} lists[TOP_LISTS] = {
        [TOP_FUNCTIONS] = {function_columns, "function"},
        [TOP_ARCS] = {arc_columns, "caller -> callee"},
        [TOP_CONTEXTS] = {context_columns, "context"},
        [TOP_ENTRY] = {arc_columns, "callers, function, callees"},
};

const char *const top_list_names[TOP_LISTS] = {
        [TOP_FUNCTIONS] = "functions", [TOP_ARCS] = "arcs", [TOP_CONTEXTS] = "contexts"};

const char *const top_figure_names[TOP_FIGURES + 1] = {
        [TOP_SELF] = "self",           [TOP_TOTAL] = "total",       [TOP_CALLS] = "calls", [TOP_SWITCHES] = "switches",
        [TOP_CALL_TIME] = "call-time", [TOP_RECORDER] = "recorder", [TOP_NAME] = "name"};

bool top_list_sorts_by(enum top_list list, enum top_figure figure)
{
	bool is_found = figure == TOP_NAME;

	for (const struct list_column *column = lists[list].columns; column->heading != NULL; column++)
		is_found |= column->figure == figure && top_figure_names[figure] != NULL;
	return is_found;
}

/* The values of enum top_figure have the order of the columns, from left to right. */
enum top_figure top_list_next_sort(enum top_list list, enum top_figure figure, bool is_left)
{
	const unsigned count = TOP_NAME + 1;

	do
		figure = (enum top_figure)((figure + (is_left ? count - 1 : 1)) % count);
	while (!top_list_sorts_by(list, figure));
	return figure;
}

void top_print_headings(const struct top_view *view, FILE *stream)
{
	const enum top_figure sort = view->sort[view->list];
	char cell[CELL_SIZE];

	for (const struct list_column *column = lists[view->list].columns; column->heading != NULL; column++) {
		snprintf(cell, sizeof cell, "%s%s", column->figure == sort ? "*" : "", column->heading);
		fprintf(stream, "%*s ", column->width, cell);
	}
	fprintf(stream, " %s%s", sort == TOP_NAME ? "*" : "", lists[view->list].rows);
}

static bool is_lower_bound(const struct top_row *row, enum top_figure figure)
{
	return row->is_lower_bound && (figure == TOP_TOTAL || figure == TOP_CALL_TIME);
}

void top_print_row(const struct profile *profile, const struct top_view *view, const struct top_row *row, FILE *stream)
{
	for (const struct list_column *column = lists[view->list].columns; column->heading != NULL; column++) {
		char cell[CELL_SIZE] = "", marked[CELL_SIZE + 2];
		const char *mark = "";

		if (!isnan(row->figures[column->figure])) {
			column->print(profile, row->figures[column->figure], cell, sizeof cell);
			mark = is_lower_bound(row, column->figure) ? ">=" : "";
		}
		snprintf(marked, sizeof marked, "%s%s", mark, cell);
		fprintf(stream, "%*s ", column->width, marked);
	}
	fprintf(stream, " %s", row->name);
}
