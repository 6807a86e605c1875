/* SPDX-License-Identifier: MIT */
/* The report's table for a prediction: the predicted busy time, and the total times that change most. */
#include "base/search.h"
#include "base/text/text.h"
#include "report/report.h"

#include <math.h>
#include <stdlib.h>

/* Rows by default. */
#define ROWS 10

/* As a part of all time: smaller changes are rounding errors. */
#define ROUNDING 1e-12

/* Half the width of a 95 % confidence interval, in standard deviations of a normal distribution. */
#define DEVIATIONS 1.959964

/* A function, or a cycle as a whole. */
struct row {
	bool is_cycle;
	size_t index;
	double now, then;
	size_t order;
};

static double change_of(const struct row *row)
{
	return fabs(row->then - row->now);
}

/* Largest change first; of equal ones, callers first, and a cycle before its members. */
static int compare_rows(const void *left, const void *right)
{
	const struct row *a = left, *b = right;
	double difference = change_of(a) - change_of(b);

	if (fabs(difference) > ROUNDING * (a->now + b->now))
		return difference > 0 ? -1 : 1;
	if (a->order != b->order)
		return compare_numbers(b->order, a->order);
	return a->is_cycle != b->is_cycle ? (a->is_cycle ? -1 : 1) : compare_numbers(a->index, b->index);
}

static void add_row(const struct profile *profile, struct row *rows, size_t *count, struct row row)
{
	if (change_of(&row) > ROUNDING * profile->total_time)
		rows[(*count)++] = row;
}

static size_t list_rows(const struct profile *profile, struct row *rows)
{
	const struct profile_what_if *what_if = profile->what_if;
	size_t count = 0;

	for (size_t i = 0; i < profile->node_count; i++)
		add_row(profile, rows, &count,
		        (struct row){
		                .index = i,
		                .now = profile_node_total(&profile->nodes[i]),
		                .then = what_if->node_totals[i],
		                .order = profile->nodes[i].order,
		        });
	for (size_t i = 0; i < profile->cycle_count; i++)
		add_row(profile, rows, &count,
		        (struct row){
		                .is_cycle = true,
		                .index = i,
		                .now = profile->cycles[i].self_time + profile->cycles[i].child_time,
		                .then = what_if->cycle_totals[i],
		                .order = profile->nodes[profile->cycles[i].members[0]].order,
		        });
	qsort(rows, count, sizeof *rows, compare_rows);
	return count;
}

static void print_row(const struct report *report, const struct row *row, int width)
{
	FILE *stream = report->stream;

	fprintf(stream, " %*.*f  %*.*f  %+8.2f  ", width, report->time_decimals, row->now, width, report->time_decimals,
	        row->then, report_percent(row->then - row->now, row->now));
	if (row->is_cycle)
		fprintf(stream, "<cycle %zu as a whole>", row->index + 1);
	else
		report_print_name(report, row->index, report->node_number[row->index]);
	fputc('\n', stream);
}

static void print_rows(const struct report *report, const struct row *rows, size_t count)
{
	bool seconds = report->profile->time_unit == PROFILE_SECONDS;
	size_t shown = report->options->top > 0 ? report->options->top : ROWS;
	int width = report_column_width(report->time_width, seconds ? "total s" : "total spl");

	fputc('\n', report->stream);
	text_begin(report->stream, report->colour, TEXT_BOLD);
	fprintf(report->stream, " %*s  %*s  %8s  function", width, seconds ? "total s" : "total spl", width, "then",
	        "change %");
	text_end(report->stream, report->colour);
	fputc('\n', report->stream);
	for (size_t i = 0; i < count && i < shown; i++)
		print_row(report, &rows[i], width);
	if (count > shown)
		fprintf(report->stream, "\n Not shown: %zu of %zu changes\n", count - shown, count);
}

static bool is_scaled(const struct report *report, size_t node)
{
	double factor = report->profile->what_if->factors[node];

	return factor < 1 || factor > 1;
}

static void print_title(const struct report *report)
{
	const char *separator = " ";

	fputs("\nWhat if self times were multiplied:", report->stream);
	for (size_t i = 0; i < report->profile->node_count; i++) {
		if (!is_scaled(report, i))
			continue;
		fputs(separator, report->stream);
		report_print_name(report, i, 0);
		fprintf(report->stream, " by %g", report->profile->what_if->factors[i]);
		separator = ", ";
	}
	fputs(separator[0] == ' ' ? " all by 1\n\n" : "\n\n", report->stream);
}

static void print_busy_time(const struct report *report)
{
	const struct profile_what_if *what_if = report->profile->what_if;
	const char *unit = report->profile->time_unit == PROFILE_SECONDS ? "s" : "spl";
	bool is_bound = profile_distances(report->profile) == CAPTURE_DISTANCES_FIXED;

	fprintf(report->stream, "Busy time %.*f %s, then %.*f %s: %+.2f %% +/- %s%.2f %% (95 %% confidence)\n",
	        report->time_decimals, what_if->time, unit, report->time_decimals, what_if->time_then, unit,
	        100 * what_if->change, is_bound ? "at least " : "", 100 * DEVIATIONS * sqrt(what_if->change_variance));
}

/* Without samples there is nothing to multiply. */
static void print_unsampled(const struct report *report)
{
	const struct profile *profile = report->profile;

	for (size_t i = 0; i < profile->node_count; i++) {
		if (!is_scaled(report, i) || profile->nodes[i].self_samples > 0)
			continue;
		report_print_name(report, i, 0);
		fputs(" has no samples: no self time to multiply\n", report->stream);
	}
}

enum status report_print_what_if(const struct report *report, struct error *error)
{
	const struct profile *profile = report->profile;
	struct row *rows;

	if (profile->what_if == NULL)
		return STATUS_OK;
	rows = calloc(profile->node_count + profile->cycle_count + 1, sizeof *rows);
	if (rows == NULL)
		return status_fail(error, "out of memory for a report of %zu functions", profile->node_count);
	size_t count = list_rows(profile, rows);
	print_title(report);
	print_busy_time(report);
	print_unsampled(report);
	if (count > 0)
		print_rows(report, rows, count);
	fputs("\n Assumed: one core; only self times change, not calls; nothing waits. An idle loop counts as busy;\n"
	      " sleep and the recorder do not.\n",
	      report->stream);
	free(rows);
	return STATUS_OK;
}
