/* SPDX-License-Identifier: MIT */
/* Tables for the comment on a merge request, as GitHub and GitLab show them (GitHub Flavored Markdown, "Tables"): the
 * verdict first. */
#include "base/text/escape.h"
#include "base/text/text.h"
#include "diff/formats/columns.h"
#include "diff/formats/output.h"

#include <string.h>

#define ROWS_MAX 150 /* rows of a table without --all: GitHub limits a comment to 65,536 characters */

/* Characters with a meaning in Markdown, as character references, which no renderer interprets as markup. */
static void print_escaped(FILE *stream, const char *text)
{
	static const struct escape escapes[] = {
	        {'!', "&#33;"}, {'#', "&#35;"},  {'$', "&#36;"},  {'&', "&#38;"},  {'*', "&#42;"},  {'<', "&#60;"},
	        {'>', "&#62;"}, {'@', "&#64;"},  {'[', "&#91;"},  {'\\', "&#92;"}, {']', "&#93;"},  {'_', "&#95;"},
	        {'`', "&#96;"}, {'{', "&#123;"}, {'|', "&#124;"}, {'}', "&#125;"}, {'~', "&#126;"}, {'\0', NULL},
	};

	escape_print(stream, text, escapes, "&#92;x");
}

/* Whether text needs no escapes within backticks in a table. */
static bool is_plain_text(const char *text)
{
	size_t length = 1;
	const char *at = text;

	for (; *at != '\0' && length > 0 && strchr("`\\|", *at) == NULL; at += length)
		length = text_character(at);
	return *at == '\0' && at != text && text[0] != ' ' && at[-1] != ' ';
}

static void print_markdown_code(FILE *stream, const char *text)
{
	if (is_plain_text(text))
		fprintf(stream, "`%s`", text);
	else
		print_escaped(stream, text);
}

/* Numbers and arrows. */
static void print_markdown_cell(FILE *stream, const char *cell)
{
	for (; *cell != '\0'; cell++) {
		if (*cell == '<' || *cell == '>')
			fputs(*cell == '<' ? "&lt;" : "&gt;", stream);
		else
			fputc(*cell, stream);
	}
}

static void print_markdown_rule(const struct diff_output *output, const struct rule_result *result)
{
	fprintf(output->stream, "| %s | ", result->breach_count > 0 ? "**BROKEN**" : "held");
	print_markdown_code(output->stream, result->text);
	output_print_breaches(output, result);
	fputs(" |\n", output->stream);
}

static void print_markdown_rules(const struct diff_output *output)
{
	const struct rule_results *rules = output->rules;

	if (rules->count == 0)
		return;
	fputs("| | rule |\n|---|---|\n", output->stream);
	for (size_t i = 0; i < rules->count; i++)
		print_markdown_rule(output, &rules->items[i]);
	fputc('\n', output->stream);
}

static void print_verdict(const struct diff_output *output)
{
	const struct rule_results *rules = output->rules;
	size_t changed = output->comparison->changed_count;

	fputs("### ", output->stream);
	if (rules->broken > 0)
		fprintf(output->stream, "%zu of %zu rules broken, ", rules->broken, rules->count);
	else if (rules->count > 0)
		fputs("All rules held, ", output->stream);
	fprintf(output->stream, "%zu function%s changed\n\n", changed, changed == 1 ? "" : "s");
}

static void print_markdown_whole(const struct diff_output *output)
{
	struct columns_whole lines[COLUMNS_WHOLE_MAX];
	size_t count = columns_of_whole(output->comparison, lines);

	fputs("| | old | new | change | interval |\n|---|--:|--:|--:|---|\n", output->stream);
	for (size_t i = 0; i < count; i++)
		fprintf(output->stream, "| %s | %s | %s | %s | %s |\n", lines[i].label, lines[i].old, lines[i].new,
		        lines[i].change, lines[i].interval);
	fputc('\n', output->stream);
}

static void print_markdown_headings(const struct diff_output *output, const struct columns *columns)
{
	for (size_t i = 0; i < columns->count; i++) {
		const char *top = columns_top(columns, i);

		fprintf(output->stream, "| %s%s%s ", top, top[0] == '\0' ? "" : " ", columns->shown[i]->bottom);
	}
	fputs("| function |\n", output->stream);
	for (size_t i = 0; i < columns->count; i++)
		fputs("|--:", output->stream);
	fputs("|---|\n", output->stream);
}

static void print_markdown_row(const struct diff_output *output, const struct columns *columns, size_t row)
{
	char cell[COLUMNS_CELL_SIZE];

	for (size_t i = 0; i < columns->count; i++) {
		columns_value(columns, i, row, cell);
		fputs("| ", output->stream);
		print_markdown_cell(output->stream, cell);
		fputc(' ', output->stream);
	}
	fputs("| ", output->stream);
	output_print_name(output, row);
	fputs(" |\n", output->stream);
}

/* Prints at most max of the listed rows from first up to end. */
static void print_markdown_table(const struct diff_output *output, size_t first, size_t end, size_t max)
{
	const struct columns columns = columns_measure(output->comparison, first, end, false);
	char unit[NOTES_UNIT_SIZE];

	fprintf(output->stream, "Times in %s ", columns.unit.name);
	print_escaped(output->stream, notes_unit_of_work(&output->notes, unit));
	fputs("; in parentheses: not significant, or unknown.\n\n", output->stream);
	print_markdown_headings(output, &columns);
	for (size_t row = first; row < end && max > 0; row++) {
		if (!columns_is_listed(&output->comparison->rows[row]))
			continue;
		print_markdown_row(output, &columns, row);
		max--;
	}
	fputc('\n', output->stream);
}

static void print_markdown_rows(const struct diff_output *output, size_t first, size_t end)
{
	size_t count = columns_count_listed(output->comparison, first, end);
	size_t shown = output->options->all || count < ROWS_MAX ? count : ROWS_MAX;

	if (shown > 0)
		print_markdown_table(output, first, end, shown);
	if (shown < count)
		fprintf(output->stream, "%zu more are not shown; %s.\n\n", count - shown,
		        output->options->hints[HINT_SHOW_ALL]);
}

static void begin_details(const struct diff_output *output, const char *summary)
{
	fprintf(output->stream, "<details><summary>%s</summary>\n\n", summary);
}

static void print_rest(const struct diff_output *output)
{
	const struct comparison *comparison = output->comparison;
	char rest[COLUMNS_REST_SIZE];

	if (columns_count_listed(comparison, comparison->changed_count, comparison->row_count) == 0)
		return;
	begin_details(output, columns_rest(comparison, rest));
	print_markdown_rows(output, comparison->changed_count, comparison->row_count);
	fputs("</details>\n\n", output->stream);
}

static void print_head_lines(const struct diff_output *output, bool warnings)
{
	for (size_t i = 0; i < output->head.count; i++) {
		const struct head_line *line = &output->head.lines[i];

		if (line->is_warning != warnings)
			continue;
		fprintf(output->stream, "* %s: ", line->label);
		print_escaped(output->stream, line->text);
		fputc('\n', output->stream);
	}
	fputc('\n', output->stream);
}

static enum status write_markdown(const struct diff_output *output, struct error *error)
{
	(void)error;
	print_verdict(output);
	print_markdown_rules(output);
	print_markdown_whole(output);
	print_markdown_rows(output, 0, output->comparison->changed_count);
	print_head_lines(output, true);
	print_rest(output);
	begin_details(output, "What was compared");
	print_head_lines(output, false);
	fputs("</details>\n", output->stream);
	return STATUS_OK;
}

const struct diff_format diff_markdown = {
        .name = "markdown",
        .summary = "tables for the comment on a merge request",
        .write = write_markdown,
        .print_name = print_markdown_code,
        .print_text = print_escaped,
        .print_numbers = print_markdown_cell,
        .breach_begin = "<br>",
        .breach_end = "",
        .breaches_max = OUTPUT_CELL_BREACHES_MAX,
};
