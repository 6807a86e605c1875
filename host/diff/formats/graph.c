/* SPDX-License-Identifier: MIT */
/* The call graph of changes: one entry per changed function, with its callers above and its callees below, old and
 * new values side by side. */
#include "base/text/text.h"
#include "diff/formats/columns.h"
#include "diff/formats/output.h"

#include <stdlib.h>
#include <string.h>

#define RULE_WIDTH   78
#define CHANGE_WIDTH 10 /* width of "(+12.3 %)" */

/* A caller or callee, listed above or below the entry's function. */
struct graph_relative {
	const struct compare_arc *arc;
	size_t row;
	double weight;
};

/* The call graph while it is printed. relatives has room for the longest entry. */
struct diff_graph {
	const struct diff_output *output;
	struct format_unit unit;
	int time_width, calls_width;
	struct graph_relative *relatives;
	size_t count;
};

/* In ascending order, so that the most important callers are next to the function. */
static int compare_arc_weights(const void *left, const void *right)
{
	const struct graph_relative *a = left, *b = right;

	if (a->weight < b->weight || a->weight > b->weight)
		return a->weight < b->weight ? -1 : 1;
	return (a->row < b->row) - (a->row > b->row);
}

/* Times that a build does not have are left blank. */
static void print_item_cells(const struct diff_graph *graph, const struct column_item *item)
{
	FILE *stream = graph->output->stream;
	char old[FORMAT_SIZE], new[FORMAT_SIZE], change[COLUMNS_CELL_SIZE], calls[COLUMNS_CELL_SIZE];

	for (enum compare_quantity quantity = COMPARE_SELF; quantity <= COMPARE_TOTAL; quantity++)
		fprintf(stream, "%*s  %*s  ", graph->time_width,
		        item_value(item, quantity, BUILD_OLD, &graph->unit, old), graph->time_width,
		        item_value(item, quantity, BUILD_NEW, &graph->unit, new));
	columns_change(item, COMPARE_TOTAL, change);
	columns_calls(item, calls);
	fprintf(stream, "%*s  %*s  ", CHANGE_WIDTH, change, graph->calls_width, calls);
}

static void print_relative_row(const struct diff_graph *graph, const struct graph_relative *relative)
{
	const struct diff_output *output = graph->output;
	const struct column_item item = item_of_arc(output->comparison, relative->arc);

	print_item_cells(graph, &item);
	fputs("    ", output->stream);
	text_print(output->stream, notes_name(&output->notes, relative->row));
	fputc('\n', output->stream);
}

static void print_primary_row(const struct diff_graph *graph, size_t index)
{
	const struct diff_output *output = graph->output;
	const struct column_item item = item_of_row(&output->comparison->rows[index]);

	output_begin_row(output, item.row);
	print_item_cells(graph, &item);
	output_print_name(output, index);
	text_end(output->stream, output->options->colour);
	fputc('\n', output->stream);
}

static void print_dashes(const struct diff_output *output)
{
	text_begin(output->stream, output->options->colour, TEXT_DIM);
	for (int i = 0; i < RULE_WIDTH; i++)
		fputc('-', output->stream);
	text_end(output->stream, output->options->colour);
	fputc('\n', output->stream);
}

/* Recursive calls are listed among the callees only. */
static void collect_relatives(struct diff_graph *graph, size_t row, bool are_callers)
{
	const struct comparison *comparison = graph->output->comparison;
	const size_t *first = are_callers ? comparison->first_parent : comparison->first_arc;

	graph->count = 0;
	for (size_t i = first[row]; i < first[row + 1]; i++) {
		const struct compare_arc *arc = &comparison->arcs[are_callers ? comparison->parent_arcs[i] : i];

		if (!are_callers || arc->caller != row)
			graph->relatives[graph->count++] = (struct graph_relative){
			        arc, are_callers ? arc->caller : arc->callee, compare_arc_weight(arc)};
	}
	qsort(graph->relatives, graph->count, sizeof *graph->relatives, compare_arc_weights);
}

static void print_changed_entry(struct diff_graph *graph, size_t row)
{
	collect_relatives(graph, row, true);
	for (size_t i = 0; i < graph->count; i++)
		print_relative_row(graph, &graph->relatives[i]);
	print_primary_row(graph, row);
	collect_relatives(graph, row, false);
	for (size_t i = graph->count; i > 0; i--)
		print_relative_row(graph, &graph->relatives[i - 1]);
	print_dashes(graph->output);
}

static int wider_width(int width, const char *text)
{
	int length = (int)strlen(text);

	return length > width ? length : width;
}

/* Sets the widths of columns to fit the rows and arcs of this comparison. */
static void measure_diff_widths(struct diff_graph *graph)
{
	const struct comparison *comparison = graph->output->comparison;
	char cell[COLUMNS_CELL_SIZE];

	graph->time_width = (int)strlen("old total");
	graph->calls_width = (int)strlen("calls");
	for (size_t i = 0; i < comparison->row_count; i++) {
		const struct stats_change *total = &comparison->rows[i].changes[COMPARE_TOTAL].values;

		graph->time_width = wider_width(graph->time_width, format_time(&graph->unit, total->old, cell));
		graph->time_width = wider_width(graph->time_width, format_time(&graph->unit, total->new, cell));
	}
	for (size_t i = 0; i < comparison->changed_count; i++) {
		const struct column_item item = item_of_row(&comparison->rows[i]);

		columns_calls(&item, cell);
		graph->calls_width = wider_width(graph->calls_width, cell);
	}
	for (size_t i = 0; i < comparison->arc_count; i++) {
		const struct column_item item = item_of_arc(comparison, &comparison->arcs[i]);

		columns_calls(&item, cell);
		graph->calls_width = wider_width(graph->calls_width, cell);
	}
}

static void print_diff_graph_headings(const struct diff_graph *graph)
{
	const struct diff_output *output = graph->output;
	int width = graph->time_width;

	text_begin(output->stream, output->options->colour, TEXT_BOLD);
	fprintf(output->stream, "%*s  %*s  %*s  %*s  %*s  %*s  name", width, "old self", width, "new self", width,
	        "old total", width, "new total", CHANGE_WIDTH, "change", graph->calls_width, "calls");
	text_end(output->stream, output->options->colour);
	fputc('\n', output->stream);
}

enum status output_print_graph(const struct diff_output *output, struct error *error)
{
	char unit[NOTES_UNIT_SIZE];
	struct diff_graph graph = {.output = output, .unit = format_unit_of_rows(output->comparison)};

	if (output->comparison->changed_count == 0)
		return STATUS_OK;
	graph.relatives = calloc(output->comparison->arc_count + 1, sizeof *graph.relatives);
	if (graph.relatives == NULL)
		return status_fail(error, "out of memory for a comparison of %zu arcs", output->comparison->arc_count);
	measure_diff_widths(&graph);
	fprintf(output->stream,
	        "\nCall graph of changed functions: callers above each function, callees below, times in %s ",
	        graph.unit.name);
	text_print(output->stream, notes_unit_of_work(&output->notes, unit));
	fputs("\n\n", output->stream);
	print_diff_graph_headings(&graph);
	for (size_t row = 0; row < output->comparison->changed_count; row++)
		print_changed_entry(&graph, row);
	free(graph.relatives);
	return STATUS_OK;
}
