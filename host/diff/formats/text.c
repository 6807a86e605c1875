/* SPDX-License-Identifier: MIT */
/* The comparison for a terminal: builds and warnings, the firmware as a whole, rows by effect, rules. */
#include "base/text/text.h"

#include "diff/formats/columns.h"
#include "diff/formats/output.h"

#include <string.h>

static void print_text_head(const struct diff_output *output)
{
	for (size_t i = 0; i < output->head.count; i++) {
		const struct head_line *line = &output->head.lines[i];
		bool is_coloured = line->is_warning && output->options->colour;

		text_begin(output->stream, is_coloured, TEXT_WARNING);
		fprintf(output->stream, "%-8s  ", line->label);
		text_print(output->stream, line->text);
		text_end(output->stream, is_coloured);
		fputc('\n', output->stream);
	}
}

static void print_text_whole(const struct diff_output *output)
{
	struct columns_whole lines[COLUMNS_WHOLE_MAX];
	size_t count = columns_of_whole(output->comparison, lines);

	fprintf(output->stream, "\nThe whole\n\n");
	text_begin(output->stream, output->options->colour, TEXT_BOLD);
	fprintf(output->stream, "  %-13s  %14s  %14s  %9s", "", "old", "new", "change");
	text_end(output->stream, output->options->colour);
	fputc('\n', output->stream);
	for (size_t i = 0; i < count; i++)
		fprintf(output->stream, "  %-13s  %14s  %14s  %9s%s%s\n", lines[i].label, lines[i].old, lines[i].new,
		        lines[i].change, lines[i].interval[0] == '\0' ? "" : "  ", lines[i].interval);
}

/* A heading that several columns share is printed above the first of them. */
static void print_tops(const struct diff_output *output, const struct columns *columns)
{
	const char *before = "";
	int width = 0;

	for (size_t i = 0; i < columns->count; i++) {
		const char *top = columns_top(columns, i);

		width += 2 + columns->widths[i];
		if (top[0] != '\0' && strcmp(top, before) != 0)
			width -= fprintf(output->stream, "%*s", width, top);
		before = top;
	}
}

static void print_text_headings(const struct diff_output *output, const struct columns *columns)
{
	text_begin(output->stream, output->options->colour, TEXT_BOLD);
	print_tops(output, columns);
	fputc('\n', output->stream);
	for (size_t i = 0; i < columns->count; i++)
		fprintf(output->stream, "  %*s", columns->widths[i], columns->shown[i]->bottom);
	fprintf(output->stream, "  function");
	text_end(output->stream, output->options->colour);
	fputc('\n', output->stream);
}

static void print_text_row(const struct diff_output *output, const struct columns *columns, size_t row)
{
	char cell[COLUMNS_CELL_SIZE];

	output_begin_row(output, &output->comparison->rows[row]);
	for (size_t i = 0; i < columns->count; i++) {
		columns_value(columns, i, row, cell);
		fprintf(output->stream, "  %*s", columns->widths[i], cell);
	}
	fprintf(output->stream, "  ");
	output_print_name(output, row);
	text_end(output->stream, output->options->colour);
	fputc('\n', output->stream);
}

static void print_text_table(const struct diff_output *output, size_t count)
{
	const struct columns columns = columns_measure(output->comparison, 0, count, true);
	char unit[NOTES_UNIT_SIZE];

	fprintf(output->stream, "\nFunctions by effect, times in %s ", columns.unit.name);
	text_print(output->stream, notes_unit_of_work(&output->notes, unit));
	fprintf(output->stream, "; in parentheses: not significant, or unknown\n\n");
	print_text_headings(output, &columns);
	for (size_t i = 0; i < count; i++)
		if (columns_is_listed(&output->comparison->rows[i]))
			print_text_row(output, &columns, i);
}

static void print_text_rows(const struct diff_output *output)
{
	const struct comparison *comparison = output->comparison;
	size_t count = output->options->all ? comparison->row_count : comparison->changed_count;

	if (comparison->changed_count == 0)
		fprintf(output->stream, "\nNo function changed\n");
	if (columns_count_listed(comparison, 0, count) > 0)
		print_text_table(output, count);
	size_t left = columns_count_listed(comparison, count, comparison->row_count);
	char rest[COLUMNS_REST_SIZE];
	if (left > 0)
		fprintf(output->stream, "\n%s %s not shown; %s\n", columns_rest(comparison, rest),
		        left == 1 ? "is" : "are", output->options->hints[HINT_SHOW_ALL]);
}

static void print_text_rule(const struct diff_output *output, const struct rule_result *result)
{
	bool is_broken = result->breach_count > 0;

	text_begin(output->stream, output->options->colour, is_broken ? TEXT_WARNING : TEXT_GOOD);
	fprintf(output->stream, "  %-8s", is_broken ? "BROKEN" : "held");
	text_end(output->stream, output->options->colour);
	text_print(output->stream, result->text);
	fputs("  (", output->stream);
	text_print(output->stream, result->origin);
	if (!result->is_of_firmware)
		fprintf(output->stream, ", %zu function%s", result->looked_at, result->looked_at == 1 ? "" : "s");
	fputs(")\n", output->stream);
	output_print_breaches(output, result);
}

static void print_text_rules(const struct diff_output *output)
{
	const struct rule_results *rules = output->rules;

	if (rules->count == 0)
		return;
	fprintf(output->stream, "\nRules: %zu of %zu broken\n\n", rules->broken, rules->count);
	for (size_t i = 0; i < rules->count; i++)
		print_text_rule(output, &rules->items[i]);
}

static enum status write_text(const struct diff_output *output, struct error *error)
{
	enum status status = STATUS_OK;

	print_text_head(output);
	print_text_whole(output);
	print_text_rows(output);
	if (output->options->graph)
		status = output_print_graph(output, error);
	if (status == STATUS_OK)
		print_text_rules(output);
	return status;
}

const struct diff_format diff_text = {
        .name = "text",
        .summary = "a page for people",
        .write = write_text,
        .print_name = text_print,
        .print_text = text_print,
        .print_numbers = text_print,
        .breach_begin = "            ",
        .breach_end = "\n",
        .breaches_max = 10,
        .lists_all_breaches = true,
};
