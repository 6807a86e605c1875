/* SPDX-License-Identifier: MIT */
/* Flat profiles that are finer than functions: by source line, and with inlined functions in rows of their own. */
#include "base/text/text.h"
#include "capture/count.h"
#include "profile/lines.h"
#include "report/report.h"

#include <stdlib.h>
#include <string.h>

static void print_line_name(const struct report *report, const struct report_row *row)
{
	if (row->line->file != NULL) {
		text_print(report->stream, row->line->file);
		fprintf(report->stream, ":%d ", row->line->line);
	}
	text_print(report->stream, demangler_name(report->names, row->line->function));
	fputs(row->line->is_inlined ? " (inlined)" : "", report->stream);
}

/* Lines also differ by the function that contains their code, which is not shown. */
static bool is_same_row(const struct profile_line *left, const struct profile_line *right)
{
	bool is_same_file = left->file == right->file ||
	                    (left->file != NULL && right->file != NULL && strcmp(left->file, right->file) == 0);

	return is_same_file && left->line == right->line && left->is_inlined == right->is_inlined &&
	       strcmp(left->function, right->function) == 0;
}

static void add_line_time(struct report_row *row, const struct profile_line *line, double variance)
{
	row->values.self_samples += line->self_samples;
	row->values.self_time += line->self_time;
	row->values.self_variance += variance;
}

enum status report_print_flat_lines(const struct report *report, struct error *error)
{
	const struct profile *profile = report->profile;
	struct report_row *rows = calloc(profile->line_count + 1, sizeof *rows);

	if (rows == NULL)
		return status_no_memory(error, profile->image->path);
	size_t count = 0;
	for (size_t i = 0; i < profile->line_count; i++) {
		const struct profile_line *line = &profile->lines[i];

		if ((line->self_time <= 0 && line->calls == 0) ||
		    report_is_left_out(report, profile->nodes[line->node].kind))
			continue;
		if (count == 0 || !is_same_row(rows[count - 1].line, line))
			rows[count++] = (struct report_row){
			        .values = {.name = line->function, .kind = profile->nodes[line->node].kind},
			        .line = line};
		add_line_time(&rows[count - 1], line, line->self_variance);
		count_add(&rows[count - 1].values.self_calls, line->calls);
	}
	report_print_rows(report, "Flat profile by line", rows, count, print_line_name);
	free(rows);
	return STATUS_OK;
}

static void print_row_name(const struct report *report, const struct report_row *row)
{
	if (row->line == NULL) {
		report_print_name(report, row->node, report->node_number[row->node]);
		return;
	}
	text_print(report->stream, demangler_name(report->names, row->line->function));
	fputs(" (inlined)", report->stream);
}

/* Orders lines of inlined code by function. */
static int compare_inlined(const void *left, const void *right)
{
	const struct profile_line *a = *(const struct profile_line *const *)left;
	const struct profile_line *b = *(const struct profile_line *const *)right;
	int by_name = strcmp(a->function, b->function);

	return by_name != 0 ? by_name : (a > b) - (a < b);
}

/* Appends rows of inlined functions after the rows of the functions; returns the new count. */
static size_t add_inlined_rows(const struct profile *profile, const struct profile_line **inlined,
                               struct report_row *rows)
{
	size_t inlined_count = 0, count = profile->node_count;

	for (size_t i = 0; i < profile->line_count; i++)
		if (profile->lines[i].is_inlined && profile->lines[i].self_samples > 0)
			inlined[inlined_count++] = &profile->lines[i];
	qsort(inlined, inlined_count, sizeof *inlined, compare_inlined);
	for (size_t i = 0; i < inlined_count; i++) {
		bool is_new = i == 0 || strcmp(inlined[i - 1]->function, inlined[i]->function) != 0;

		count += is_new;
		rows[count - 1].line = inlined[i];
		rows[count - 1].values.name = inlined[i]->function;
		add_line_time(&rows[count - 1], inlined[i], inlined[i]->function_variance);
		/* To the function that contains the code, this is time of a callee. */
		rows[inlined[i]->node].values.child_time += inlined[i]->self_time;
	}
	return count;
}

/* Makes rows of functions without the code inlined into them. */
static void make_rows_of_functions(const struct profile *profile, struct report_row *rows)
{
	for (size_t i = 0; i < profile->node_count; i++) {
		rows[i] = (struct report_row){.values = profile->nodes[i], .node = i};
		rows[i].values.self_samples = rows[i].values.self_time = rows[i].values.self_variance = 0;
	}
	for (size_t i = 0; i < profile->line_count; i++)
		if (!profile->lines[i].is_inlined)
			add_line_time(&rows[profile->lines[i].node], &profile->lines[i],
			              profile->lines[i].function_variance);
}

static size_t drop_unused(const struct report *report, struct report_row *rows, size_t count)
{
	size_t kept = 0;

	for (size_t i = 0; i < count; i++) {
		const struct profile_node *values = &rows[i].values;
		bool is_used = values->self_time > 0 || values->calls > 0 || values->self_calls > 0;

		if (is_used && !report_is_left_out(report, values->kind))
			rows[kept++] = rows[i];
	}
	return kept;
}

enum status report_print_flat_inlines(const struct report *report, struct error *error)
{
	const struct profile *profile = report->profile;
	const struct profile_line **inlined = calloc(profile->line_count + 1, sizeof *inlined);
	struct report_row *rows = calloc(profile->node_count + profile->line_count + 1, sizeof *rows);
	bool ok = inlined != NULL && rows != NULL;

	if (ok) {
		make_rows_of_functions(profile, rows);
		size_t count = add_inlined_rows(profile, inlined, rows);
		count = drop_unused(report, rows, count);
		report_print_rows(report, "Flat profile with inlined functions", rows, count, print_row_name);
	}
	free(inlined);
	free(rows);
	return ok ? STATUS_OK : status_no_memory(error, profile->image->path);
}
