/* SPDX-License-Identifier: MIT */
/* The flat profile: a row per function that was seen. Its columns are a table. */
#include "base/text/text.h"
#include "capture/count.h"
#include "report/report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What decides how wide the values of a column are. */
enum width { WIDTH_OF_PERCENT, WIDTH_OF_TIME, WIDTH_OF_CALLS, WIDTH_OF_CALL_TIME };

struct column {
	enum width width;
	void (*heading)(const struct report *report, char *cell, size_t size);
	void (*value)(const struct report *report, const struct profile_node *node, char *cell, size_t size);
};

static const char *time_unit(const struct report *report)
{
	return report->profile->time_unit == PROFILE_SECONDS ? "s" : "samples";
}

static void percent_heading(const struct report *report, char *cell, size_t size)
{
	(void)report;
	snprintf(cell, size, "self %%");
}

static void percent_value(const struct report *report, const struct profile_node *node, char *cell, size_t size)
{
	snprintf(cell, size, "%.2f", report_percent(node->self_time, report->whole_time));
}

static void self_heading(const struct report *report, char *cell, size_t size)
{
	snprintf(cell, size, "self %s", time_unit(report));
}

static void self_value(const struct report *report, const struct profile_node *node, char *cell, size_t size)
{
	snprintf(cell, size, "%.*f", report->time_decimals, node->self_time);
}

static void error_heading(const struct report *report, char *cell, size_t size)
{
	snprintf(cell, size, "%s", report_error_heading(report));
}

/* None says nothing of the error: what was not sampled may still have run. */
static void error_value(const struct report *report, const struct profile_node *node, char *cell, size_t size)
{
	if (node->self_samples > 0)
		snprintf(cell, size, "%.*f", report->time_decimals, sqrt(node->self_variance));
}

static void calls_heading(const struct report *report, char *cell, size_t size)
{
	(void)report;
	snprintf(cell, size, "calls");
}

static void calls_value(const struct report *report, const struct profile_node *node, char *cell, size_t size)
{
	(void)report;
	if (profile_node_calls(node) > 0)
		snprintf(cell, size, "%llu", (unsigned long long)profile_node_calls(node));
}

/* Recursion is not a call from outside: what one outside call costs includes it. */
static double per_call(const struct profile_node *node, double time)
{
	return node->calls > 0 ? time / (double)node->calls : 0.0;
}

struct call_unit {
	const char *name;
	double scale; /* units per second */
};

/* The unit that puts the time into [1, 1000), if there is one: a short function beside a long one is no zero. */
static struct call_unit choose_call_unit(double seconds)
{
	static const struct call_unit units[] = {{"s ", 1}, {"ms", 1e3}, {"us", 1e6}, {"ns", 1e9}, {"ps", 1e12}};
	size_t unit = 0;
	/* What rounding would take to 1000.00 is of the larger unit. */
	while (unit + 1 < sizeof units / sizeof *units && seconds > 0 && seconds * units[unit].scale < 0.999995)
		unit++;
	return units[unit];
}

/* Three digits: samples have no smaller unit. */
static void print_samples(double samples, char *cell, size_t size)
{
	snprintf(cell, size, samples < 99.95 ? "%.3g" : "%.0f", samples);
}

static void print_call_time(const struct report *report, double time, char *cell, size_t size)
{
	const struct call_unit unit = choose_call_unit(time);
	bool is_in_samples = report->profile->time_unit == PROFILE_SAMPLES;
	/* Without samples there is no measurement. The blanks take the place of the unit. */
	if (time <= 0)
		snprintf(cell, size, is_in_samples ? "-" : "-   ");
	else if (is_in_samples)
		print_samples(time, cell, size);
	else
		snprintf(cell, size, "%.2f %s", time * unit.scale, unit.name);
}

static void self_call_heading(const struct report *report, char *cell, size_t size)
{
	(void)report;
	snprintf(cell, size, "self/call");
}

static void self_call_value(const struct report *report, const struct profile_node *node, char *cell, size_t size)
{
	if (node->calls > 0)
		print_call_time(report, per_call(node, node->self_time), cell, size);
}

static void total_call_heading(const struct report *report, char *cell, size_t size)
{
	(void)report;
	snprintf(cell, size, "total/call");
}

/* Time of what a function calls is not followed up to one whose time filters leave out. */
static bool knows_total(const struct report *report, const struct profile_node *node)
{
	return node->calls > 0 && (report->profile->filters == NULL || node->wanted.fraction > 0);
}

static void total_call_value(const struct report *report, const struct profile_node *node, char *cell, size_t size)
{
	if (knows_total(report, node))
		print_call_time(report, per_call(node, profile_node_total(node)), cell, size);
}

/* In the unit of the time before it. */
static void total_error_value(const struct report *report, const struct profile_node *node, char *cell, size_t size)
{
	const struct call_unit unit = choose_call_unit(per_call(node, profile_node_total(node)));
	double deviation = per_call(node, sqrt(node->total_variance));
	if (!knows_total(report, node) || node->total_variance <= 0)
		return;
	if (report->profile->time_unit == PROFILE_SAMPLES)
		print_samples(deviation, cell, size);
	else
		snprintf(cell, size, "%.2f", deviation * unit.scale);
}

static const struct column columns[] = {
        {WIDTH_OF_PERCENT, percent_heading, percent_value},
        {WIDTH_OF_TIME, self_heading, self_value},
        {WIDTH_OF_TIME, error_heading, error_value},
        {WIDTH_OF_CALLS, calls_heading, calls_value},
        {WIDTH_OF_CALL_TIME, self_call_heading, self_call_value},
        {WIDTH_OF_CALL_TIME, total_call_heading, total_call_value},
        {WIDTH_OF_PERCENT, error_heading, total_error_value},
};

/* As wide as this report needs it, and no wider. */
static int column_width(const struct report *report, const struct column *column)
{
	const int widths[] = {
	        [WIDTH_OF_PERCENT] = (int)strlen("100.00"),
	        [WIDTH_OF_TIME] = report->time_width,
	        [WIDTH_OF_CALLS] = report->calls_width,
	        [WIDTH_OF_CALL_TIME] = (int)strlen("123.45 ms"),
	};
	char heading[32] = "";
	column->heading(report, heading, sizeof heading);
	return report_column_width(widths[column->width], heading);
}

static void print_cell(const struct report *report, size_t column, const char *cell)
{
	fprintf(report->stream, "%s%*s", column == 0 ? " " : "  ", column_width(report, &columns[column]), cell);
}

/* The last is of the errors of total times. What a line spends per call would mean nothing. */
#define COLUMNS_OF_LINES 4
static size_t count_columns(const struct report *report)
{
	if (report->options->lines)
		return COLUMNS_OF_LINES;
	return sizeof columns / sizeof *columns - (report->profile->has_total_variance ? 0 : 1);
}

static void print_headings(const struct report *report)
{
	FILE *stream = report->stream;
	text_begin(stream, report->colour, TEXT_BOLD);
	for (size_t i = 0; i < count_columns(report); i++) {
		char cell[32] = "";
		columns[i].heading(report, cell, sizeof cell);
		print_cell(report, i, cell);
	}
	fprintf(stream, report->options->lines ? "  line, function" : "  function");
	text_end(stream, report->colour);
	fputc('\n', stream);
}

static void print_values(const struct report *report, const struct profile_node *node)
{
	for (size_t i = 0; i < count_columns(report); i++) {
		char cell[32] = "";
		columns[i].value(report, node, cell, sizeof cell);
		print_cell(report, i, cell);
	}
	fprintf(report->stream, "  ");
}

/* Names of a part's rows are indented below its own. */
static void print_row(const struct report *report, size_t node)
{
	print_values(report, &report->profile->nodes[node]);
	fputs(report->is_part ? "  " : "", report->stream);
	report_print_name(report, node, report->node_number[node]);
	fputs(report->profile->nodes[node].is_only_shared ? REPORT_ONLY_SHARED : "", report->stream);
	fputc('\n', report->stream);
}

static enum status print_rows(const struct report *report, struct error *error)
{
	struct report_function *functions;
	struct report_hidden hidden = {0};
	size_t count;
	enum status status = report_list_functions(report, &functions, &count, error);
	for (size_t i = 0, rank = 0; i < count; i++) {
		if (report_shows_row(report, &report->profile->nodes[functions[i].node], &rank))
			print_row(report, functions[i].node);
		else
			report_hide(&hidden, functions[i].self_time);
	}
	report_print_hidden(report, &hidden, count, "functions");
	free(functions);
	return status;
}

static int compare_report_rows(const void *left, const void *right)
{
	const struct report_row *a = left, *b = right;
	if (a->values.self_time < b->values.self_time || a->values.self_time > b->values.self_time)
		return a->values.self_time > b->values.self_time ? -1 : 1;
	if (profile_node_calls(&a->values) != profile_node_calls(&b->values))
		return profile_node_calls(&a->values) > profile_node_calls(&b->values) ? -1 : 1;
	int by_name = strcmp(a->values.name, b->values.name);
	if (by_name != 0)
		return by_name;
	return a->line != b->line ? (a->line > b->line) - (a->line < b->line)
	                          : (a->node > b->node) - (a->node < b->node);
}

void report_print_rows(const struct report *report, const char *title, struct report_row *rows, size_t count,
                       void (*print_name)(const struct report *report, const struct report_row *row))
{
	qsort(rows, count, sizeof *rows, compare_report_rows);
	fprintf(report->stream, "\n%s\n\n", title);
	print_headings(report);
	struct report_hidden hidden = {0};
	for (size_t i = 0, rank = 0; i < count; i++) {
		if (!report_shows_row(report, &rows[i].values, &rank)) {
			report_hide(&hidden, rows[i].values.self_time);
			continue;
		}
		print_values(report, &rows[i].values);
		print_name(report, &rows[i]);
		fputc('\n', report->stream);
	}
	report_print_hidden(report, &hidden, count, "rows");
}

/* The sums of a part, as a row: what it spends per call would mean nothing, so its calls stand where those of recursion
 * do. */
static struct profile_node sum_of_part(const struct report *report, const struct profile *profile)
{
	struct profile_node sum = {.self_samples = profile->total_samples, .self_time = profile->total_time};
	if (report->options->without_recorder)
		sum.self_time -= profile_recorder_time(profile);
	if (profile->total_samples > 0)
		sum.self_variance = sum.self_time * profile->total_time / profile->total_samples;
	for (size_t i = 0; i < profile->node_count; i++)
		count_add(&sum.self_calls, profile_node_calls(&profile->nodes[i]));
	return sum;
}

static enum status print_part(const struct report *report, size_t index, struct error *error)
{
	const struct profile_node sum = sum_of_part(report, report->profile->parts[index].profile);
	struct report of_part;
	enum status status = report_of_part(report, index, &of_part, error);
	fputc('\n', report->stream);
	text_begin(report->stream, report->colour, TEXT_BOLD);
	print_values(report, &sum);
	report_print_part_name(report, index);
	text_end(report->stream, report->colour);
	fputc('\n', report->stream);
	if (status == STATUS_OK)
		status = print_rows(&of_part, error);
	report_free_entries(&of_part);
	return status;
}

enum status report_print_flat(const struct report *report, struct error *error)
{
	const struct profile *profile = report->profile;
	enum status status = STATUS_OK;
	fprintf(report->stream, "\nFlat profile%s\n\n",
	        profile->part_count == 0   ? ""
	        : report->options->by_core ? " by core"
	                                   : " by context");
	print_headings(report);
	if (profile->part_count == 0)
		return print_rows(report, error);
	for (size_t i = 0; status == STATUS_OK && i < profile->part_count; i++)
		status = print_part(report, i, error);
	return status;
}
