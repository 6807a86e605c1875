/* SPDX-License-Identifier: MIT */
/* The call graph of changes: one entry per changed function, with its callers above and its callees below, old and
 * new values side by side. */
#include "base/text/text.h"
#include "diff/formats/columns.h"
#include "diff/formats/output.h"

#include <stdlib.h>
#include <string.h>

#define RULE_WIDTH   78
#define CHANGE_WIDTH 10 /* of "(+12.3 %)" */

/* A line above or below that of the entry's function. */
struct relative {
	const struct compare_arc *arc;
	size_t row;
	double weight;
};

/* One call graph while it is printed. relatives has room for all of the longest entry. */
struct graph {
	const struct output *output;
	struct format_unit unit;
	int time_width, calls_width;
	struct relative *relatives;
	size_t count;
};

static void add_relative(struct graph *graph, const struct compare_arc *arc, size_t row)
{
	graph->relatives[graph->count++] = (struct relative){arc, row, compare_arc_weight(arc)};
}

static void collect_parents(struct graph *graph, size_t row)
{
	const struct comparison *comparison = graph->output->comparison;
	graph->count = 0;
	for (size_t i = comparison->first_parent[row]; i < comparison->first_parent[row + 1]; i++) {
		const struct compare_arc *arc = &comparison->arcs[comparison->parent_arcs[i]];
		if (arc->caller != row)
			add_relative(graph, arc, arc->caller);
	}
}

/* Recursive calls are listed here and not among the callers. */
static void collect_children(struct graph *graph, size_t row)
{
	const struct comparison *comparison = graph->output->comparison;
	graph->count = 0;
	for (size_t i = comparison->first_arc[row]; i < comparison->first_arc[row + 1]; i++)
		add_relative(graph, &comparison->arcs[i], comparison->arcs[i].callee);
}

/* In ascending order, so that the most important callers are next to the function. */
static int compare_relatives(const void *left, const void *right)
{
	const struct relative *a = left, *b = right;
	if (a->weight < b->weight || a->weight > b->weight)
		return a->weight < b->weight ? -1 : 1;
	return (a->row < b->row) - (a->row > b->row);
}

/* In a build that lacks the function or the call, or where the call carries no time, there is none. */
static void print_times(const struct graph *graph, const struct compare_change *changes,
                        const bool is_there[BUILD_COUNT])
{
	FILE *stream = graph->output->stream;
	char old[FORMAT_SIZE] = "", new[FORMAT_SIZE] = "";
	for (enum compare_quantity quantity = COMPARE_SELF; quantity <= COMPARE_TOTAL; quantity++) {
		if (is_there[BUILD_OLD])
			format_time(&graph->unit, changes[quantity].values.old, old);
		if (is_there[BUILD_NEW])
			format_time(&graph->unit, changes[quantity].values.new, new);
		fprintf(stream, "%*s  %*s  ", graph->time_width, old, graph->time_width, new);
	}
}

static void print_rest(const struct graph *graph, const char *change, const char *calls)
{
	fprintf(graph->output->stream, "%*s  %*s  ", CHANGE_WIDTH, change, graph->calls_width, calls);
}

static void print_relative(const struct graph *graph, const struct relative *relative)
{
	const struct comparison *comparison = graph->output->comparison;
	const struct compare_change *total = &relative->arc->changes[COMPARE_TOTAL];
	const bool is_timed[BUILD_COUNT] = {
	        compare_arc_is_timed(comparison, BUILD_OLD, relative->arc),
	        compare_arc_is_timed(comparison, BUILD_NEW, relative->arc),
	};
	char ratio[FORMAT_SIZE], change[COLUMNS_CELL_SIZE], calls[COLUMNS_CELL_SIZE];
	bool is_comparable = is_timed[BUILD_OLD] && is_timed[BUILD_NEW];
	columns_doubt(total, is_comparable ? format_ratio(total->values.ratio, ratio) : "", change);
	columns_calls(&relative->arc->changes[COMPARE_CALLS], relative->arc->is_inlined, calls);
	print_times(graph, relative->arc->changes, is_timed);
	print_rest(graph, change, calls);
	fputs("    ", graph->output->stream);
	text_print(graph->output->stream, notes_name(graph->output->notes, relative->row));
	fputc('\n', graph->output->stream);
}

static void print_primary(const struct graph *graph, size_t index)
{
	const struct output *output = graph->output;
	const struct compare_row *row = &output->comparison->rows[index];
	const bool is_there[BUILD_COUNT] = {row->names[BUILD_OLD] != NULL, row->names[BUILD_NEW] != NULL};
	char change[COLUMNS_CELL_SIZE], calls[COLUMNS_CELL_SIZE];
	columns_change(row, COMPARE_TOTAL, change);
	columns_calls_of_row(row, calls);
	output_begin_row(output, row);
	print_times(graph, row->changes, is_there);
	print_rest(graph, change, calls);
	output_print_name(output, index);
	text_end(output->stream, output->options->colour);
	fputc('\n', output->stream);
}

static void print_dashes(const struct output *output)
{
	text_begin(output->stream, output->options->colour, TEXT_DIM);
	for (int i = 0; i < RULE_WIDTH; i++)
		fputc('-', output->stream);
	text_end(output->stream, output->options->colour);
	fputc('\n', output->stream);
}

static void print_entry(struct graph *graph, size_t row)
{
	collect_parents(graph, row);
	qsort(graph->relatives, graph->count, sizeof *graph->relatives, compare_relatives);
	for (size_t i = 0; i < graph->count; i++)
		print_relative(graph, &graph->relatives[i]);
	print_primary(graph, row);
	collect_children(graph, row);
	qsort(graph->relatives, graph->count, sizeof *graph->relatives, compare_relatives);
	for (size_t i = graph->count; i > 0; i--)
		print_relative(graph, &graph->relatives[i - 1]);
	print_dashes(graph->output);
}

static int wider(int width, const char *text)
{
	int length = (int)strlen(text);
	return length > width ? length : width;
}

/* As wide as the rows and arcs of this comparison need it. */
static void measure(struct graph *graph)
{
	const struct comparison *comparison = graph->output->comparison;
	char cell[COLUMNS_CELL_SIZE];
	graph->time_width = (int)strlen("old total");
	graph->calls_width = (int)strlen("calls");
	for (size_t i = 0; i < comparison->row_count; i++) {
		const struct stats_change *total = &comparison->rows[i].changes[COMPARE_TOTAL].values;
		graph->time_width = wider(graph->time_width, format_time(&graph->unit, total->old, cell));
		graph->time_width = wider(graph->time_width, format_time(&graph->unit, total->new, cell));
	}
	for (size_t i = 0; i < comparison->changed_count; i++) {
		columns_calls_of_row(&comparison->rows[i], cell);
		graph->calls_width = wider(graph->calls_width, cell);
	}
	for (size_t i = 0; i < comparison->arc_count; i++) {
		columns_calls(&comparison->arcs[i].changes[COMPARE_CALLS], comparison->arcs[i].is_inlined, cell);
		graph->calls_width = wider(graph->calls_width, cell);
	}
}

static void print_headings(const struct graph *graph)
{
	const struct output *output = graph->output;
	int width = graph->time_width;
	text_begin(output->stream, output->options->colour, TEXT_BOLD);
	fprintf(output->stream, "%*s  %*s  %*s  %*s  %*s  %*s  name", width, "old self", width, "new self", width,
	        "old total", width, "new total", CHANGE_WIDTH, "change", graph->calls_width, "calls");
	text_end(output->stream, output->options->colour);
	fputc('\n', output->stream);
}

enum status output_print_graph(const struct output *output, struct error *error)
{
	char unit[NOTES_UNIT_SIZE];
	struct graph graph = {.output = output, .unit = format_unit_of_rows(output->comparison)};
	if (output->comparison->changed_count == 0)
		return STATUS_OK;
	graph.relatives = calloc(output->comparison->arc_count + 1, sizeof *graph.relatives);
	if (graph.relatives == NULL)
		return status_fail(error, "out of memory for a comparison of %zu arcs", output->comparison->arc_count);
	measure(&graph);
	fprintf(output->stream,
	        "\nCall graph of what changed: callers above each function, callees below, times in %s ",
	        graph.unit.name);
	text_print(output->stream, notes_unit_of_work(output->notes, unit));
	fputs("\n\n", output->stream);
	print_headings(&graph);
	for (size_t row = 0; row < output->comparison->changed_count; row++)
		print_entry(&graph, row);
	free(graph.relatives);
	return STATUS_OK;
}
