/* SPDX-License-Identifier: MIT */
/* See columns.h. The columns are a table. */
#include "diff/formats/columns.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static bool is_in(const struct compare_row *row, enum build build)
{
	return row->names[build] != NULL;
}

static void time_value(const struct columns *columns, const struct compare_row *row, enum compare_quantity quantity,
                       enum build build, char cell[COLUMNS_CELL_SIZE])
{
	const struct stats_change *values = &row->changes[quantity].values;
	if (is_in(row, build))
		format_time(&columns->unit, build == BUILD_OLD ? values->old : values->new, cell);
}

static void old_self(const struct columns *columns, const struct compare_row *row, char cell[COLUMNS_CELL_SIZE])
{
	time_value(columns, row, COMPARE_SELF, BUILD_OLD, cell);
}

static void new_self(const struct columns *columns, const struct compare_row *row, char cell[COLUMNS_CELL_SIZE])
{
	time_value(columns, row, COMPARE_SELF, BUILD_NEW, cell);
}

static void self_change(const struct columns *columns, const struct compare_row *row, char cell[COLUMNS_CELL_SIZE])
{
	(void)columns;
	columns_change(row, COMPARE_SELF, cell);
}

static void self_interval(const struct columns *columns, const struct compare_row *row, char cell[COLUMNS_CELL_SIZE])
{
	(void)columns;
	if (is_in(row, BUILD_OLD) && is_in(row, BUILD_NEW) && !isnan(row->changes[COMPARE_SELF].values.ratio))
		format_interval(&row->changes[COMPARE_SELF].values.ratio_interval, cell);
}

static void old_total(const struct columns *columns, const struct compare_row *row, char cell[COLUMNS_CELL_SIZE])
{
	time_value(columns, row, COMPARE_TOTAL, BUILD_OLD, cell);
}

static void new_total(const struct columns *columns, const struct compare_row *row, char cell[COLUMNS_CELL_SIZE])
{
	time_value(columns, row, COMPARE_TOTAL, BUILD_NEW, cell);
}

static void total_change(const struct columns *columns, const struct compare_row *row, char cell[COLUMNS_CELL_SIZE])
{
	(void)columns;
	columns_change(row, COMPARE_TOTAL, cell);
}

/* Where calls are as many, it is what self time says. */
static void call_change(const struct columns *columns, const struct compare_row *row, char cell[COLUMNS_CELL_SIZE])
{
	const struct stats_change *calls = &row->changes[COMPARE_CALLS].values;
	const struct compare_change *change = &row->changes[COMPARE_PER_CALL_TIME];
	bool has_calls = isfinite(calls->old) && isfinite(calls->new) && calls->old > 0 && calls->new > 0;
	(void)columns;
	if (has_calls && (calls->old < calls->new || calls->old > calls->new || compare_is_change(change)))
		columns_change(row, COMPARE_PER_CALL_TIME, cell);
}

static void calls_value(const struct columns *columns, const struct compare_row *row, char cell[COLUMNS_CELL_SIZE])
{
	(void)columns;
	columns_calls_of_row(row, cell);
}

/* In bytes; 0 if a size is unknown. */
static double size_change(const struct compare_row *row)
{
	const struct stats_change *values = &row->changes[COMPARE_SIZE].values;
	double difference = values->new - values->old;
	return isfinite(difference) ? difference : 0;
}

static bool has_other_size(const struct compare_row *row)
{
	return fabs(size_change(row)) >= 1;
}

static void size_value(const struct columns *columns, const struct compare_row *row, char cell[COLUMNS_CELL_SIZE])
{
	(void)columns;
	if (has_other_size(row))
		snprintf(cell, COLUMNS_CELL_SIZE, "%+.0f", size_change(row));
}

/* Otherwise the columns of self time and calls show it. */
static bool is_call_change_needed(const struct compare_row *row)
{
	for (size_t i = COMPARE_SELF; i <= COMPARE_CALLS; i++)
		if (compare_is_change(&row->changes[i]))
			return false;
	return compare_is_change(&row->changes[COMPARE_PER_CALL_TIME]);
}

static const struct {
	const char *top; /* NULL: the confidence */
	const char *bottom;
	void (*value)(const struct columns *columns, const struct compare_row *row, char cell[COLUMNS_CELL_SIZE]);
	bool (*is_needed)(const struct compare_row *row); /* NULL: by each row */
} table[COLUMNS_COUNT] = {
        {"self", "old", old_self, NULL},         {"self", "new", new_self, NULL},
        {"self", "change", self_change, NULL},   {NULL, "interval", self_interval, NULL},
        {"total", "old", old_total, NULL},       {"total", "new", new_total, NULL},
        {"total", "change", total_change, NULL}, {"self", "per call", call_change, is_call_change_needed},
        {"", "calls", calls_value, NULL},        {"", "size", size_value, NULL},
};

void columns_doubt(const struct compare_change *change, const char *text, char cell[COLUMNS_CELL_SIZE])
{
	bool is_certain = text[0] == '\0' || change->values.is_exact || compare_is_change(change);
	snprintf(cell, COLUMNS_CELL_SIZE, is_certain ? "%s" : "(%s)", text);
}

void columns_change(const struct compare_row *row, enum compare_quantity quantity, char cell[COLUMNS_CELL_SIZE])
{
	char text[FORMAT_SIZE];
	columns_doubt(&row->changes[quantity], format_change(row, quantity, text), cell);
}

void columns_calls(const struct compare_change *calls, const bool is_inlined[BUILD_COUNT], char cell[COLUMNS_CELL_SIZE])
{
	char old[FORMAT_SIZE], new[FORMAT_SIZE];
	format_calls_of(calls, BUILD_OLD, is_inlined[BUILD_OLD], old);
	format_calls_of(calls, BUILD_NEW, is_inlined[BUILD_NEW], new);
	if (strcmp(old, new) == 0)
		snprintf(cell, COLUMNS_CELL_SIZE, "%s", old);
	else
		snprintf(cell, COLUMNS_CELL_SIZE, "%s -> %s", old[0] == '\0' ? "?" : old, new[0] == '\0' ? "?" : new);
}

void columns_calls_of_row(const struct compare_row *row, char cell[COLUMNS_CELL_SIZE])
{
	const bool is_inlined[BUILD_COUNT] = {
	        format_is_inlined(row, BUILD_OLD),
	        format_is_inlined(row, BUILD_NEW),
	};
	columns_calls(&row->changes[COMPARE_CALLS], is_inlined, cell);
}

void columns_heading(const struct columns *columns, size_t column, char top[COLUMNS_CELL_SIZE],
                     char bottom[COLUMNS_CELL_SIZE])
{
	if (table[column].top == NULL)
		snprintf(top, COLUMNS_CELL_SIZE, "%.4g %%", 100 * columns->comparison->confidence);
	else
		snprintf(top, COLUMNS_CELL_SIZE, "%s", table[column].top);
	snprintf(bottom, COLUMNS_CELL_SIZE, "%s", table[column].bottom);
}

void columns_value(const struct columns *columns, size_t column, size_t row, char cell[COLUMNS_CELL_SIZE])
{
	cell[0] = '\0';
	table[column].value(columns, &columns->comparison->rows[row], cell);
}

static size_t longer(size_t length, const char *cell)
{
	return strlen(cell) > length ? strlen(cell) : length;
}

static int width_of(const struct columns *columns, size_t column, size_t first, size_t end)
{
	char cell[COLUMNS_CELL_SIZE], top[COLUMNS_CELL_SIZE];
	size_t widest = 0;
	for (size_t row = first; row < end; row++) {
		if (!columns_is_listed(&columns->comparison->rows[row]))
			continue;
		columns_value(columns, column, row, cell);
		widest = longer(widest, cell);
	}
	columns_heading(columns, column, top, cell);
	return widest == 0 ? 0 : (int)longer(longer(widest, top), cell);
}

static bool is_needed(const struct columns *columns, size_t column, size_t first, size_t end)
{
	if (table[column].is_needed == NULL)
		return true;
	for (size_t row = first; row < end; row++)
		if (table[column].is_needed(&columns->comparison->rows[row]))
			return true;
	return false;
}

struct columns columns_measure(const struct comparison *comparison, size_t first, size_t end, bool is_narrow)
{
	struct columns columns = {.comparison = comparison, .unit = format_unit_of_rows(comparison)};
	for (size_t i = 0; i < COLUMNS_COUNT; i++)
		if (!is_narrow || is_needed(&columns, i, first, end))
			columns.widths[i] = width_of(&columns, i, first, end);
	return columns;
}

bool columns_is_listed(const struct compare_row *row)
{
	for (size_t i = COMPARE_SELF; i <= COMPARE_CALLS; i++)
		if (row->changes[i].values.old > 0 || row->changes[i].values.new > 0)
			return true;
	return has_other_size(row);
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

enum compare_verdict columns_verdict(const struct compare_row *row)
{
	for (size_t i = COMPARE_SELF; i <= COMPARE_PER_CALL_TIME; i++)
		if (compare_is_change(&row->changes[i]))
			return row->changes[i].verdict;
	return COMPARE_NOISE;
}

static void fill_whole(const struct comparison *comparison, const struct compare_change *change,
                       enum compare_quantity quantity, struct columns_whole *line)
{
	const struct stats_change *values = &change->values;
	const struct format_unit unit = format_unit_of(comparison->time_unit, fmax(values->old, values->new));
	char ratio[FORMAT_SIZE];
	format_quantity(&unit, quantity, values->old, line->old);
	format_quantity(&unit, quantity, values->new, line->new);
	columns_doubt(change, format_ratio(values->ratio, ratio), line->change);
	format_interval(&values->ratio_interval, line->interval);
}

size_t columns_of_whole(const struct comparison *comparison, struct columns_whole lines[COLUMNS_WHOLE_MAX])
{
	size_t count = 0;
	/* Per second or per sample, it would be the same in all builds. */
	if (comparison->unit == COMPARE_PER_CALL) {
		lines[count].label = "time per call";
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
