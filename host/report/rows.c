/* SPDX-License-Identifier: MIT */
/* The functions of a flat profile in print order; which of them, and of the entries of the call graph, are shown. */
#include "report/report.h"

#include <stdlib.h>
#include <string.h>

/* Rounding may make a sum of samples slightly less than the requested share. */
#define ROUNDING 1e-9

bool report_is_large(const struct report *report, double time, double whole)
{
	double min = report->options->min_part;

	return min <= 0 || (whole > 0 && time / whole >= min * (1 - ROUNDING));
}

bool report_is_of_top(const struct report *report, const struct profile_node *node, size_t *rank)
{
	size_t top = report->options->top;

	return top == 0 || node->kind == PROFILE_BAREPROF || (*rank)++ < top;
}

bool report_shows_row(const struct report *report, const struct profile_node *node, size_t *rank)
{
	return report_is_of_top(report, node, rank) && report_is_large(report, node->self_time, report->whole_time);
}

void report_hide(struct report_hidden *hidden, double self_time)
{
	hidden->count++;
	hidden->self_time += self_time;
}

void report_print_hidden(const struct report *report, const struct report_hidden *hidden, size_t count,
                         const char *what, const char *advice)
{
	if (hidden->count == 0)
		return;
	fprintf(report->stream, "%s Not shown: %zu of %zu %s, with %.*f %s of self time (%.2f %%)%s%s\n",
	        report->part != NULL ? "  " : "\n ", hidden->count, count, what, report->time_decimals,
	        hidden->self_time, report->profile->time_unit == PROFILE_SECONDS ? "s" : "samples",
	        report_percent(hidden->self_time, report->whole_time), advice != NULL ? "; " : "",
	        advice != NULL ? advice : "");
}

bool report_is_left_out(const struct report *report, enum profile_node_kind kind)
{
	return kind == PROFILE_BAREPROF && report->options->without_recorder;
}

int report_compare_nodes(const void *left, const void *right)
{
	const struct profile_node *a = *(const struct profile_node *const *)left;
	const struct profile_node *b = *(const struct profile_node *const *)right;

	if (a->self_time < b->self_time || a->self_time > b->self_time)
		return a->self_time > b->self_time ? -1 : 1;
	return (a > b) - (a < b);
}

int report_compare_rows(const void *left, const void *right)
{
	const struct report_row *a = left, *b = right;
	uint64_t a_calls = profile_node_calls(&a->values), b_calls = profile_node_calls(&b->values);

	if (a->values.self_time < b->values.self_time || a->values.self_time > b->values.self_time)
		return a->values.self_time > b->values.self_time ? -1 : 1;
	if (a_calls != b_calls)
		return a_calls > b_calls ? -1 : 1;
	int by_name = strcmp(a->values.name, b->values.name);
	if (by_name != 0)
		return by_name;
	return a->line != b->line ? (a->line > b->line) - (a->line < b->line)
	                          : (a->node > b->node) - (a->node < b->node);
}

enum status report_list_functions(const struct report *report, struct report_row **functions, size_t *count,
                                  struct error *error)
{
	const struct profile *profile = report->profile;
	struct report_row *rows = calloc(profile->node_count + 1, sizeof *rows);

	*functions = rows;
	*count = 0;
	if (rows == NULL)
		return status_fail(error, "out of memory for a report of %zu functions", profile->node_count);
	for (size_t i = 0; i < profile->node_count; i++) {
		const struct profile_node *node = &profile->nodes[i];
		bool is_wanted = filter_wants(node->marks, profile->all_marks, FILTER_FLAT) &&
		                 !report_is_left_out(report, node->kind);

		if (is_wanted && (node->self_time > 0 || profile_node_calls(node) > 0))
			rows[(*count)++] = (struct report_row){.values = *node, .node = i};
	}
	qsort(rows, *count, sizeof *rows, report_compare_rows);
	return STATUS_OK;
}
