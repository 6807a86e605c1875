/* SPDX-License-Identifier: MIT */
/* The flat profile: one row for each function that was sampled or called. */
#include "base/text/text.h"
#include "capture/count.h"
#include "report/report.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The widest value of a column. */
enum width { WIDTH_OF_PERCENT, WIDTH_OF_TIME, WIDTH_OF_TOTAL, WIDTH_OF_CALLS, WIDTH_OF_CALL_TIME, WIDTH_OF_TOTAL_CALL };

struct flat_column {
	const char *heading;    /* NULL: report_error_heading() */
	const char *in_samples; /* the heading if times are in samples; NULL: the same heading */
	enum width width;
	bool is_of_lines;        /* also shown in a profile by line; times per call of a line would mean nothing */
	bool needs_total_errors; /* shown only if errors of total times were estimated */
	bool needs_calls;        /* not shown if the report shows totals */
	bool is_of_totals;       /* shown only if the report shows totals */
	void (*value)(const struct report *report, const struct profile_node *node, char cell[REPORT_CELL_SIZE]);
};

static void percent_value(const struct report *report, const struct profile_node *node, char cell[REPORT_CELL_SIZE])
{
	snprintf(cell, REPORT_CELL_SIZE, "%.2f", report_percent(node->self_time, report->whole_time));
}

static void self_value(const struct report *report, const struct profile_node *node, char cell[REPORT_CELL_SIZE])
{
	snprintf(cell, REPORT_CELL_SIZE, "%.*f", report->time_decimals, node->self_time);
}

/* Empty without samples: the function may have run nevertheless. */
static void error_value(const struct report *report, const struct profile_node *node, char cell[REPORT_CELL_SIZE])
{
	if (node->self_samples > 0)
		snprintf(cell, REPORT_CELL_SIZE, "%.*f", report->time_decimals, sqrt(node->self_variance));
}

static void calls_value(const struct report *report, const struct profile_node *node, char cell[REPORT_CELL_SIZE])
{
	(void)report;
	if (profile_node_calls(node) > 0)
		snprintf(cell, REPORT_CELL_SIZE, "%" PRIu64, profile_node_calls(node));
}

/* Recursive calls are not counted: their time belongs to the call from outside. */
static double per_call(const struct profile_node *node, double time)
{
	return node->calls > 0 ? time / (double)node->calls : 0.0;
}

struct call_unit {
	const char *name;
	double scale; /* units per second */
};

/* Chooses the unit in which the time is between 1 and 1000, so that short functions are not shown as 0. */
static struct call_unit choose_call_unit(double seconds)
{
	static const struct call_unit units[] = {{"s ", 1}, {"ms", 1e3}, {"us", 1e6}, {"ns", 1e9}, {"ps", 1e12}};
	size_t unit = 0;

	/* A time that would be rounded to 1000.00 gets the larger unit. */
	while (unit + 1 < sizeof units / sizeof *units && seconds > 0 && seconds * units[unit].scale < 0.999995)
		unit++;
	return units[unit];
}

/* Three digits: samples have no smaller unit. */
static void format_samples(double samples, char cell[REPORT_CELL_SIZE])
{
	snprintf(cell, REPORT_CELL_SIZE, samples < 99.95 ? "%.3g" : "%.0f", samples);
}

static void format_call_time(const struct report *report, double time, char cell[REPORT_CELL_SIZE])
{
	const struct call_unit unit = choose_call_unit(time);
	bool is_in_samples = report->profile->time_unit == PROFILE_SAMPLES;

	/* Without samples there is no measurement. The blanks align the dash with the numbers. */
	if (time <= 0)
		snprintf(cell, REPORT_CELL_SIZE, is_in_samples ? "-" : "-   ");
	else if (is_in_samples)
		format_samples(time, cell);
	else
		snprintf(cell, REPORT_CELL_SIZE, "%.2f %s", time * unit.scale, unit.name);
}

static void self_call_value(const struct report *report, const struct profile_node *node, char cell[REPORT_CELL_SIZE])
{
	if (node->calls > 0)
		format_call_time(report, per_call(node, node->self_time), cell);
}

/* The total time of a function is unknown if filters exclude its own time. */
static bool knows_total(const struct report *report, const struct profile_node *node)
{
	return report->profile->filters == NULL || node->wanted.fraction > 0;
}

/* The mark before a total time. */
static const char *mark_of(const struct profile_node *node)
{
	return node->is_lower_bound && profile_node_total(node) > 0 ? REPORT_LOWER_BOUND : "";
}

static void total_call_value(const struct report *report, const struct profile_node *node, char cell[REPORT_CELL_SIZE])
{
	char time[REPORT_CELL_SIZE];

	if (node->calls == 0 || !knows_total(report, node))
		return;
	format_call_time(report, per_call(node, profile_node_total(node)), time);
	snprintf(cell, REPORT_CELL_SIZE, "%s%.32s", mark_of(node), time);
}

/* The error, in the unit of the column before it. */
static void total_error_value(const struct report *report, const struct profile_node *node, char cell[REPORT_CELL_SIZE])
{
	const struct call_unit unit = choose_call_unit(per_call(node, profile_node_total(node)));
	double deviation = per_call(node, sqrt(node->total_variance));

	if (node->calls == 0 || !knows_total(report, node) || node->total_variance <= 0 || node->is_lower_bound)
		return;
	if (report->profile->time_unit == PROFILE_SAMPLES)
		format_samples(deviation, cell);
	else
		snprintf(cell, REPORT_CELL_SIZE, "%.2f", deviation * unit.scale);
}

static void total_value(const struct report *report, const struct profile_node *node, char cell[REPORT_CELL_SIZE])
{
	if (knows_total(report, node))
		snprintf(cell, REPORT_CELL_SIZE, "%s%.*f", mark_of(node), report->time_decimals,
		         profile_node_total(node));
}

static void error_of_total_value(const struct report *report, const struct profile_node *node,
                                 char cell[REPORT_CELL_SIZE])
{
	if (node->total_variance > 0 && !node->is_lower_bound && knows_total(report, node))
		snprintf(cell, REPORT_CELL_SIZE, "%.*f", report->time_decimals, sqrt(node->total_variance));
}

/* The table of columns. To add a column, add a row here. */
static const struct flat_column columns[] = {
        {.heading = "self %", .width = WIDTH_OF_PERCENT, .value = percent_value, .is_of_lines = true},
        {.heading = "self s",
         .in_samples = "self samples",
         .width = WIDTH_OF_TIME,
         .value = self_value,
         .is_of_lines = true},
        {.width = WIDTH_OF_TIME, .value = error_value, .is_of_lines = true},
        {.heading = "total s",
         .in_samples = "total samples",
         .width = WIDTH_OF_TOTAL,
         .value = total_value,
         .is_of_totals = true},
        {.width = WIDTH_OF_TIME, .value = error_of_total_value, .is_of_totals = true, .needs_total_errors = true},
        {.heading = "calls", .width = WIDTH_OF_CALLS, .value = calls_value, .is_of_lines = true, .needs_calls = true},
        {.heading = "self/call", .width = WIDTH_OF_CALL_TIME, .value = self_call_value, .needs_calls = true},
        {.heading = "total/call", .width = WIDTH_OF_TOTAL_CALL, .value = total_call_value, .needs_calls = true},
        {.width = WIDTH_OF_PERCENT, .value = total_error_value, .needs_calls = true, .needs_total_errors = true},
};

#define COLUMN_COUNT (sizeof columns / sizeof *columns)

static const char *column_heading(const struct report *report, const struct flat_column *column)
{
	if (column->heading == NULL)
		return report_error_heading(report);
	return column->in_samples == NULL ? column->heading
	                                  : report_by_unit(report, column->heading, column->in_samples);
}

static bool is_column_shown(const struct report *report, const struct flat_column *column)
{
	if (report->options->lines)
		return column->is_of_lines;
	if (report->shows_totals ? column->needs_calls : column->is_of_totals)
		return false;
	return !column->needs_total_errors || report->profile->has_total_variance;
}

static struct report_column column_of(const struct report *report, const struct flat_column *column)
{
	const int widths[] = {
	        [WIDTH_OF_PERCENT] = (int)strlen("100.00"),
	        [WIDTH_OF_TIME] = report->time_width,
	        [WIDTH_OF_TOTAL] = report->time_width + report->bound_width,
	        [WIDTH_OF_CALLS] = report->calls_width,
	        [WIDTH_OF_CALL_TIME] = (int)strlen("123.45 ms"),
	        [WIDTH_OF_TOTAL_CALL] = (int)strlen("123.45 ms") + report->bound_width,
	};

	return (struct report_column){column_heading(report, column), widths[column->width]};
}

static void print_flat_headings(const struct report *report)
{
	struct report_column shown[COLUMN_COUNT];
	size_t count = 0;

	for (size_t i = 0; i < COLUMN_COUNT; i++)
		if (is_column_shown(report, &columns[i]))
			shown[count++] = column_of(report, &columns[i]);
	report_print_headings(report, shown, count, report->options->lines ? "line, function" : "function");
}

static void print_flat_values(const struct report *report, const struct profile_node *node)
{
	struct report_column shown[COLUMN_COUNT];
	char cells[COLUMN_COUNT][REPORT_CELL_SIZE] = {{0}};
	size_t count = 0;

	for (size_t i = 0; i < COLUMN_COUNT; i++)
		if (is_column_shown(report, &columns[i])) {
			columns[i].value(report, node, cells[count]);
			shown[count++] = column_of(report, &columns[i]);
		}
	report_print_cells(report, shown, count, cells);
}

/* Names in the rows of a part are indented below the name of the part. */
static void print_function_name(const struct report *report, const struct report_row *row)
{
	fputs(report->part != NULL ? "  " : "", report->stream);
	report_print_name(report, row->node, report->node_number[row->node]);
	fputs(row->values.is_only_shared ? REPORT_ONLY_SHARED : "", report->stream);
}

static void print_flat_rows(const struct report *report, const struct report_row *rows, size_t count, const char *what,
                            void (*print_name)(const struct report *report, const struct report_row *row))
{
	struct report_hidden hidden = {0};

	for (size_t i = 0, rank = 0; i < count; i++) {
		if (!report_shows_row(report, &rows[i].values, &rank)) {
			report_hide(&hidden, rows[i].values.self_time);
			continue;
		}
		print_flat_values(report, &rows[i].values);
		print_name(report, &rows[i]);
		fputc('\n', report->stream);
	}
	report_print_hidden(report, &hidden, count, what, NULL);
}

void report_print_rows(const struct report *report, const char *title, struct report_row *rows, size_t count,
                       void (*print_name)(const struct report *report, const struct report_row *row))
{
	qsort(rows, count, sizeof *rows, report_compare_rows);
	fprintf(report->stream, "\n%s\n\n", title);
	print_flat_headings(report);
	print_flat_rows(report, rows, count, "rows", print_name);
}

static enum status print_flat_functions(const struct report *report, struct error *error)
{
	struct report_row *functions;
	size_t count;
	enum status status = report_list_functions(report, &functions, &count, error);

	print_flat_rows(report, functions, count, "functions", print_function_name);
	free(functions);
	return status;
}

/* The sums of a part as a row. Times per call of a part would mean nothing, so all calls count as recursive, which have
 * no time per call. */
static struct profile_node sum_of_part(const struct report *report)
{
	const struct profile *profile = report->profile;
	struct profile_node sum = {.self_samples = profile->total_samples, .self_time = profile->total_time};

	if (report->options->without_recorder)
		sum.self_time -= profile_recorder_time(profile);
	if (profile->total_samples > 0)
		sum.self_variance = sum.self_time * profile->total_time / profile->total_samples;
	for (size_t i = 0; i < profile->node_count; i++)
		count_add(&sum.self_calls, profile_node_calls(&profile->nodes[i]));
	return sum;
}

static enum status print_flat_part(const struct report *of_part, struct error *error)
{
	const struct profile_node sum = sum_of_part(of_part);

	fputc('\n', of_part->stream);
	text_begin(of_part->stream, of_part->colour, TEXT_BOLD);
	print_flat_values(of_part, &sum);
	part_names_print(of_part->stream, of_part->part);
	text_end(of_part->stream, of_part->colour);
	fputc('\n', of_part->stream);
	return print_flat_functions(of_part, error);
}

enum status report_print_flat(const struct report *report, struct error *error)
{
	fprintf(report->stream, "\nFlat profile%s\n\n", report_split_text(report));
	print_flat_headings(report);
	return report->part_count == 0 ? print_flat_functions(report, error)
	                               : report_print_parts(report, print_flat_part, error);
}
