/* SPDX-License-Identifier: MIT */
/* Tables for the comment on a merge request, as GitHub and GitLab show them (GitHub Flavored Markdown, "Tables"): the
 * verdict first. */
#include "base/text/escape.h"
#include "base/text/text.h"
#include "diff/formats/columns.h"
#include "diff/formats/formats.h"
#include "diff/formats/head.h"

#include <string.h>

#define BREACHES_MAX 20
#define ROWS_MAX     150 /* of a table, unless all are wanted: a comment has an end, GitHub's at 65,536 characters */

struct document {
	const struct comparison *comparison;
	const struct rule_results *rules;
	const struct diff_output_options *options;
	const struct notes *notes;
	FILE *stream;
};

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

/* Nothing in it means anything within backticks in a table. */
static bool is_plain(const char *text)
{
	size_t length = 1;
	const char *at = text;
	for (; *at != '\0' && length > 0 && strchr("`\\|", *at) == NULL; at += length)
		length = text_character(at);
	return *at == '\0' && at != text && text[0] != ' ' && at[-1] != ' ';
}

static void print_code(FILE *stream, const char *text)
{
	if (is_plain(text))
		fprintf(stream, "`%s`", text);
	else
		print_escaped(stream, text);
}

/* Numbers and arrows. */
static void print_cell(FILE *stream, const char *cell)
{
	for (; *cell != '\0'; cell++) {
		if (*cell == '<' || *cell == '>')
			fputs(*cell == '<' ? "&lt;" : "&gt;", stream);
		else
			fputc(*cell, stream);
	}
}

static void print_name(const struct document *document, size_t row)
{
	const char *note = notes_text(document->notes, row);
	print_code(document->stream, notes_name(document->notes, row));
	if (note[0] == '\0')
		return;
	fputs(" (", document->stream);
	print_escaped(document->stream, note);
	fputc(')', document->stream);
}

static void print_breach(const struct document *document, const struct rule_result *result,
                         const struct rule_breach *breach)
{
	char text[FORMAT_VALUES_SIZE];
	if (breach->row == PAIRING_NONE)
		fputs("the firmware", document->stream);
	else
		print_code(document->stream, notes_name(document->notes, breach->row));
	fputs(": ", document->stream);
	print_cell(document->stream, format_breach(document->comparison, result, breach, text));
}

static void print_rule(const struct document *document, const struct rule_result *result)
{
	bool is_broken = result->breach_count > 0;
	fprintf(document->stream, "| %s | ", is_broken ? "**BROKEN**" : "held");
	print_code(document->stream, result->text);
	if (!is_broken && result->has_nearest) {
		fputs("<br>nearest: ", document->stream);
		print_breach(document, result, &result->nearest);
	}
	for (size_t i = 0; i < result->breach_count && i < BREACHES_MAX; i++) {
		fputs("<br>", document->stream);
		print_breach(document, result, &result->breaches[i]);
	}
	if (result->breach_count > BREACHES_MAX)
		fprintf(document->stream, "<br>and %zu more", result->breach_count - BREACHES_MAX);
	fputs(" |\n", document->stream);
}

static void print_rules(const struct document *document)
{
	const struct rule_results *rules = document->rules;
	if (rules->count == 0)
		return;
	fputs("| | rule |\n|---|---|\n", document->stream);
	for (size_t i = 0; i < rules->count; i++)
		print_rule(document, &rules->items[i]);
	fputc('\n', document->stream);
}

static void print_verdict(const struct document *document)
{
	const struct rule_results *rules = document->rules;
	size_t changed = document->comparison->changed_count;
	fputs("### ", document->stream);
	if (rules->broken > 0)
		fprintf(document->stream, "%zu of %zu rules broken, ", rules->broken, rules->count);
	else if (rules->count > 0)
		fputs("All rules held, ", document->stream);
	fprintf(document->stream, "%zu function%s changed\n\n", changed, changed == 1 ? "" : "s");
}

static void print_whole(const struct document *document)
{
	struct columns_whole lines[COLUMNS_WHOLE_MAX];
	size_t count = columns_of_whole(document->comparison, lines);
	fputs("| | old | new | change | interval |\n|---|--:|--:|--:|---|\n", document->stream);
	for (size_t i = 0; i < count; i++)
		fprintf(document->stream, "| %s | %s | %s | %s | %s |\n", lines[i].label, lines[i].old, lines[i].new,
		        lines[i].change, lines[i].interval);
	fputc('\n', document->stream);
}

static void print_headings(const struct document *document, const struct columns *columns)
{
	char top[COLUMNS_CELL_SIZE], bottom[COLUMNS_CELL_SIZE];
	for (size_t i = 0; i < COLUMNS_COUNT; i++) {
		columns_heading(columns, i, top, bottom);
		if (columns->widths[i] > 0)
			fprintf(document->stream, "| %s%s%s ", top, top[0] == '\0' ? "" : " ", bottom);
	}
	fputs("| function |\n", document->stream);
	for (size_t i = 0; i < COLUMNS_COUNT; i++)
		if (columns->widths[i] > 0)
			fputs("|--:", document->stream);
	fputs("|---|\n", document->stream);
}

static void print_row(const struct document *document, const struct columns *columns, size_t row)
{
	char cell[COLUMNS_CELL_SIZE];
	for (size_t i = 0; i < COLUMNS_COUNT; i++) {
		columns_value(columns, i, row, cell);
		if (columns->widths[i] == 0)
			continue;
		fputs("| ", document->stream);
		print_cell(document->stream, cell);
		fputc(' ', document->stream);
	}
	fputs("| ", document->stream);
	print_name(document, row);
	fputs(" |\n", document->stream);
}

/* Prints at most max of the listed rows from first up to end. */
static void print_table(const struct document *document, size_t first, size_t end, size_t max)
{
	const struct columns columns = columns_measure(document->comparison, first, end, false);
	char unit[NOTES_UNIT_SIZE];
	fprintf(document->stream, "Times in %s ", columns.unit.name);
	print_escaped(document->stream, notes_unit_of_work(document->notes, unit));
	fputs("; in parentheses: not significant, or unknown.\n\n", document->stream);
	print_headings(document, &columns);
	for (size_t row = first; row < end && max > 0; row++) {
		if (!columns_is_listed(&document->comparison->rows[row]))
			continue;
		print_row(document, &columns, row);
		max--;
	}
	fputc('\n', document->stream);
}

static void print_rows(const struct document *document, size_t first, size_t end)
{
	size_t count = columns_count_listed(document->comparison, first, end);
	size_t shown = document->options->all || count < ROWS_MAX ? count : ROWS_MAX;
	if (shown > 0)
		print_table(document, first, end, shown);
	if (shown < count)
		fprintf(document->stream, "%zu more are not shown; %s.\n\n", count - shown,
		        document->options->hints[HINT_SHOW_ALL]);
}

static void begin_details(const struct document *document, const char *summary)
{
	fprintf(document->stream, "<details><summary>%s</summary>\n\n", summary);
}

static void print_rest(const struct document *document)
{
	const struct comparison *comparison = document->comparison;
	char rest[COLUMNS_REST_SIZE];
	if (columns_count_listed(comparison, comparison->changed_count, comparison->row_count) == 0)
		return;
	begin_details(document, columns_rest(comparison, rest));
	print_rows(document, comparison->changed_count, comparison->row_count);
	fputs("</details>\n\n", document->stream);
}

static void print_head_lines(const struct document *document, const struct head *head, bool warnings)
{
	for (size_t i = 0; i < head->count; i++) {
		const struct head_line *line = &head->lines[i];
		if (line->is_warning != warnings)
			continue;
		fprintf(document->stream, "* %s: ", line->label);
		print_escaped(document->stream, line->text);
		fputc('\n', document->stream);
	}
	fputc('\n', document->stream);
}

static void print_document(const struct document *document, const struct head *head)
{
	print_verdict(document);
	print_rules(document);
	print_whole(document);
	print_rows(document, 0, document->comparison->changed_count);
	print_head_lines(document, head, true);
	print_rest(document);
	begin_details(document, "What was compared");
	print_head_lines(document, head, false);
	fputs("</details>\n", document->stream);
}

static enum status write_markdown(const struct comparison *comparison, const struct rule_results *rules,
                                  const struct diff_output_options *options, FILE *stream, struct error *error)
{
	struct notes *notes;
	struct head head = {.count = 0};
	enum status status = notes_create(comparison, options->names, &notes, error);
	const struct document document = {comparison, rules, options, notes, stream};
	if (status == STATUS_OK)
		status = head_create(comparison, notes, options, &head, error);
	if (status == STATUS_OK)
		print_document(&document, &head);
	head_free(&head);
	notes_free(notes);
	return status;
}

const struct diff_format diff_markdown = {
        .name = "markdown",
        .summary = "tables for the comment on a merge request",
        .write = write_markdown,
};
