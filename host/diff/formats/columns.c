/* SPDX-License-Identifier: MIT */
/* See columns.h. */
#include "diff/formats/columns.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

struct column_item item_of_row(const struct compare_row *row)
{
	return (struct column_item){
	        .row = row,
	        .changes = row->changes,
	        .is_timed = {row->names[BUILD_OLD] != NULL, row->names[BUILD_NEW] != NULL},
	        .is_inlined = {row->inlining[BUILD_OLD] == COMPARE_INLINED,
	                       row->inlining[BUILD_NEW] == COMPARE_INLINED},
	};
}

struct column_item item_of_arc(const struct comparison *comparison, const struct compare_arc *arc)
{
	return (struct column_item){
	        .changes = arc->changes,
	        .is_timed = {compare_arc_is_timed(comparison, BUILD_OLD, arc),
	                     compare_arc_is_timed(comparison, BUILD_NEW, arc)},
	        .is_inlined = {arc->is_inlined[BUILD_OLD], arc->is_inlined[BUILD_NEW]},
	};
}

const char *item_value(const struct column_item *item, enum compare_quantity quantity, enum build build,
                       const struct format_unit *unit, char text[FORMAT_SIZE])
{
	const struct stats_change *values = &item->changes[quantity].values;
	double value = build == BUILD_OLD ? values->old : values->new;

	text[0] = '\0';
	if (quantity == COMPARE_CALLS && item->is_inlined[build])
		snprintf(text, FORMAT_SIZE, "inlined");
	else if (quantity == COMPARE_CALLS || quantity == COMPARE_SIZE)
		format_calls(value, text);
	else if (item->is_timed[build])
		format_time(unit, value, text);
	return text;
}

const char *item_ratio(const struct column_item *item, enum compare_quantity quantity, char text[FORMAT_SIZE])
{
	const struct stats_change *values = &item->changes[quantity].values;
	const struct compare_row *row = item->row;

	text[0] = '\0';
	if (row != NULL && row->names[BUILD_OLD] == NULL && values->old == 0 && values->new > 0)
		snprintf(text, FORMAT_SIZE, "new");
	else if (row != NULL && row->names[BUILD_NEW] == NULL && values->old > 0 && values->new == 0)
		snprintf(text, FORMAT_SIZE, "gone");
	else if (row != NULL || quantity == COMPARE_CALLS || (item->is_timed[BUILD_OLD] && item->is_timed[BUILD_NEW]))
		format_ratio(values->ratio, text);
	return text;
}

const char *item_confidence_interval(const struct column_item *item, enum compare_quantity quantity,
                                     char text[FORMAT_SIZE])
{
	const struct stats_change *values = &item->changes[quantity].values;

	text[0] = '\0';
	return isnan(values->ratio) ? text : format_interval(&values->ratio_interval, text);
}

/* In bytes; 0 if a size is unknown. */
static double size_change(const struct compare_row *row)
{
	const struct stats_change *values = &row->changes[COMPARE_SIZE].values;
	double difference = values->new - values->old;

	return isfinite(difference) ? difference : 0;
}

static bool size_differs(const struct compare_row *row)
{
	return fabs(size_change(row)) >= 1;
}

/* Whether nothing but the time per call changed. Changes of self time, total time and calls have their own columns. */
static bool only_call_time_changed(const struct compare_row *row)
{
	for (size_t i = COMPARE_SELF; i <= COMPARE_CALLS; i++)
		if (compare_is_change(&row->changes[i]))
			return false;
	return compare_is_change(&row->changes[COMPARE_PER_CALL_TIME]);
}

const struct column columns_table[COLUMNS_COUNT] = {
        {"self", "old", COMPARE_SELF, PART_OLD, .is_in_text = true, .is_in_page = true},
        {"self", "new", COMPARE_SELF, PART_NEW, .is_in_text = true, .is_in_page = true},
        {"self", "change", COMPARE_SELF, PART_CHANGE, .is_in_text = true, .is_in_page = true},
        {NULL, "interval", COMPARE_SELF, PART_INTERVAL, .is_in_text = true},
        {"self", "difference", COMPARE_SELF, PART_BAR, .is_in_page = true},
        {"total", "old", COMPARE_TOTAL, PART_OLD, .is_in_text = true, .is_in_page = true},
        {"total", "new", COMPARE_TOTAL, PART_NEW, .is_in_text = true, .is_in_page = true},
        {"total", "change", COMPARE_TOTAL, PART_CHANGE, .is_in_text = true, .is_in_page = true},
        {"calls", "old", COMPARE_CALLS, PART_OLD, .is_in_page = true},
        {"calls", "new", COMPARE_CALLS, PART_NEW, .is_in_page = true},
        {"calls", "change", COMPARE_CALLS, PART_CHANGE, .is_in_page = true},
        {"self", "per call", COMPARE_PER_CALL_TIME, PART_CHANGE, .is_in_text = true},
        {"self/call", "old", COMPARE_PER_CALL_TIME, PART_OLD, .is_in_page = true},
        {"self/call", "new", COMPARE_PER_CALL_TIME, PART_NEW, .is_in_page = true},
        {"", "calls", COMPARE_CALLS, PART_OLD_AND_NEW, .is_in_text = true},
        {"size", "old", COMPARE_SIZE, PART_OLD, .is_in_page = true},
        {"size", "new", COMPARE_SIZE, PART_NEW, .is_in_page = true},
        {"", "size", COMPARE_SIZE, PART_DIFFERENCE, .is_in_text = true},
        {"self", "q", COMPARE_SELF, PART_Q, .is_in_page = true},
};

/* Puts text in parentheses unless the change is exact or significant. */
static void print_doubt(const struct compare_change *change, const char *text, char cell[COLUMNS_CELL_SIZE])
{
	bool is_certain = text[0] == '\0' || change->values.is_exact || compare_is_change(change);

	snprintf(cell, COLUMNS_CELL_SIZE, is_certain ? "%s" : "(%s)", text);
}

void columns_change(const struct column_item *item, enum compare_quantity quantity, char cell[COLUMNS_CELL_SIZE])
{
	char text[FORMAT_SIZE];

	print_doubt(&item->changes[quantity], item_ratio(item, quantity, text), cell);
}

void columns_calls(const struct column_item *item, char cell[COLUMNS_CELL_SIZE])
{
	char old[FORMAT_SIZE], new[FORMAT_SIZE];

	item_value(item, COMPARE_CALLS, BUILD_OLD, NULL, old);
	item_value(item, COMPARE_CALLS, BUILD_NEW, NULL, new);
	if (strcmp(old, new) == 0)
		snprintf(cell, COLUMNS_CELL_SIZE, "%s", old);
	else
		snprintf(cell, COLUMNS_CELL_SIZE, "%s -> %s", old[0] == '\0' ? "?" : old, new[0] == '\0' ? "?" : new);
}

const char *columns_top(const struct columns *columns, size_t column)
{
	return columns->shown[column]->top == NULL ? columns->confidence : columns->shown[column]->top;
}

/* Time per call repeats the change of self time if both builds have the same number of calls. */
static bool shows_time_per_call(const struct column_item *item)
{
	const struct stats_change *calls = &item->changes[COMPARE_CALLS].values;

	return isfinite(calls->old) && isfinite(calls->new) && calls->old > 0 && calls->new > 0 &&
	       (calls->old < calls->new || calls->old > calls->new ||
	        compare_is_change(&item->changes[COMPARE_PER_CALL_TIME]));
}

void columns_value(const struct columns *columns, size_t column, size_t row, char cell[COLUMNS_CELL_SIZE])
{
	const struct column_item item = item_of_row(&columns->comparison->rows[row]);
	enum compare_quantity quantity = columns->shown[column]->quantity;
	enum column_part part = columns->shown[column]->part;

	cell[0] = '\0';
	if (part <= PART_NEW)
		item_value(&item, quantity, (enum build)part, &columns->unit, cell);
	else if (part == PART_CHANGE && (quantity != COMPARE_PER_CALL_TIME || shows_time_per_call(&item)))
		columns_change(&item, quantity, cell);
	else if (part == PART_INTERVAL && item.is_timed[BUILD_OLD] && item.is_timed[BUILD_NEW])
		item_confidence_interval(&item, quantity, cell);
	else if (part == PART_OLD_AND_NEW)
		columns_calls(&item, cell);
	else if (part == PART_DIFFERENCE && size_differs(item.row))
		snprintf(cell, COLUMNS_CELL_SIZE, "%+.0f", size_change(item.row));
}

static size_t longer_length(size_t length, const char *cell)
{
	return strlen(cell) > length ? strlen(cell) : length;
}

/* 0 if all cells are empty. */
static int width_of(const struct columns *columns, size_t column, size_t first, size_t end)
{
	char cell[COLUMNS_CELL_SIZE];
	size_t widest = 0;

	for (size_t row = first; row < end; row++) {
		if (!columns_is_listed(&columns->comparison->rows[row]))
			continue;
		columns_value(columns, column, row, cell);
		widest = longer_length(widest, cell);
	}
	widest = widest == 0 ? 0 : longer_length(widest, columns_top(columns, column));
	return (int)(widest == 0 ? 0 : longer_length(widest, columns->shown[column]->bottom));
}

struct columns columns_measure(const struct comparison *comparison, size_t first, size_t end, bool is_narrow)
{
	struct columns columns = {.comparison = comparison, .unit = format_unit_of_rows(comparison)};
	bool needs_time_per_call = !is_narrow;

	snprintf(columns.confidence, sizeof columns.confidence, "%.4g %%", 100 * comparison->confidence);
	for (size_t row = first; row < end; row++)
		needs_time_per_call |= only_call_time_changed(&comparison->rows[row]);
	for (size_t i = 0; i < COLUMNS_COUNT; i++) {
		const struct column *column = &columns_table[i];

		if (!column->is_in_text || (column->quantity == COMPARE_PER_CALL_TIME && !needs_time_per_call))
			continue;
		columns.shown[columns.count] = column;
		columns.widths[columns.count] = width_of(&columns, columns.count, first, end);
		columns.count += columns.widths[columns.count] > 0;
	}
	return columns;
}

bool columns_is_listed(const struct compare_row *row)
{
	for (size_t i = COMPARE_SELF; i <= COMPARE_CALLS; i++)
		if (row->changes[i].values.old > 0 || row->changes[i].values.new > 0)
			return true;
	return size_differs(row);
}

size_t columns_count_listed(const struct comparison *comparison, size_t first, size_t end)
{
	size_t count = 0;

	for (size_t row = first; row < end; row++)
		count += columns_is_listed(&comparison->rows[row]);
	return count;
}

const char *columns_rest(const struct comparison *comparison, char text[COLUMNS_REST_SIZE])
{
	size_t count = columns_count_listed(comparison, comparison->changed_count, comparison->row_count);
	char min[FORMAT_SIZE] = "";

	if (comparison->min_change > 0)
		snprintf(min, sizeof min, ", below %.4g %%", 100 * comparison->min_change);
	snprintf(text, COLUMNS_REST_SIZE, "%zu function%s within noise%s or changed only in size", count,
	         count == 1 ? "" : "s", min);
	return text;
}

static void fill_whole(const struct comparison *comparison, const struct compare_change *change,
                       enum compare_quantity quantity, struct columns_whole *line)
{
	const struct stats_change *values = &change->values;
	const struct format_unit unit = format_unit_of(comparison->time_unit, fmax(values->old, values->new));
	char ratio[FORMAT_SIZE];

	format_quantity(&unit, quantity, values->old, line->old);
	format_quantity(&unit, quantity, values->new, line->new);
	print_doubt(change, format_ratio(values->ratio, ratio), line->change);
	format_interval(&values->ratio_interval, line->interval);
}

size_t columns_of_whole(const struct comparison *comparison, struct columns_whole lines[COLUMNS_WHOLE_MAX])
{
	size_t count = 0;

	/* Per second or per sample, it would be the same in all builds. */
	if (!compare_is_per_time(comparison)) {
		lines[count].label = comparison->unit == COMPARE_PER_CALL ? "time per call" : "time per run";
		fill_whole(comparison, &comparison->time, COMPARE_SELF, &lines[count++]);
	}
	const struct compare_change *recorder = comparison_recorder(comparison);
	if (recorder != NULL) {
		lines[count].label = "recorder";
		fill_whole(comparison, recorder, COMPARE_SELF, &lines[count++]);
	}
	lines[count].label = "code size";
	fill_whole(comparison, &comparison->size, COMPARE_SIZE, &lines[count++]);
	return count;
}
