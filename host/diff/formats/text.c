/* SPDX-License-Identifier: MIT */
/* The comparison for a terminal: what was compared, the firmware as a whole, the rows by effect, the rules. */
#include "base/text/text.h"

#include "diff/formats/formats.h"
#include "diff/formats/page.h"
#include <string.h>

#define BREACHES_MAX 10 /* that are shown of a rule, unless all are wanted */

static void print_heading(const struct page *page, const char *heading)
{
	text_begin(page->stream, page->options->colour, TEXT_BOLD);
	fprintf(page->stream, "%s", heading);
	text_end(page->stream, page->options->colour);
	fputc('\n', page->stream);
}

static void print_head_line(const struct page *page, const struct head_line *line)
{
	if (line->is_warning)
		text_begin(page->stream, page->options->colour, TEXT_WARNING);
	fprintf(page->stream, "%-8s  ", line->label);
	text_print(page->stream, line->text);
	if (line->is_warning)
		text_end(page->stream, page->options->colour);
	fputc('\n', page->stream);
}

static enum status print_head(const struct page *page, struct error *error)
{
	struct head head;
	enum status status = head_create(page->comparison, page->notes, page->options, &head, error);
	for (size_t i = 0; status == STATUS_OK && i < head.count; i++)
		print_head_line(page, &head.lines[i]);
	head_free(&head);
	return status;
}

static void print_whole(const struct page *page)
{
	struct columns_whole lines[COLUMNS_WHOLE_MAX];
	size_t count = columns_of_whole(page->comparison, lines);
	char heading[80];
	snprintf(heading, sizeof heading, "  %-13s  %14s  %14s  %9s", "", "old", "new", "change");
	fprintf(page->stream, "\nThe whole\n\n");
	print_heading(page, heading);
	for (size_t i = 0; i < count; i++)
		fprintf(page->stream, "  %-13s  %14s  %14s  %9s%s%s\n", lines[i].label, lines[i].old, lines[i].new,
		        lines[i].change, lines[i].interval[0] == '\0' ? "" : "  ", lines[i].interval);
}

static void print_cell(const struct page *page, int width, const char *cell)
{
	if (width > 0)
		fprintf(page->stream, "  %*s", width, cell);
}

/* A heading that several columns share is printed above the first of them. */
static void print_tops(const struct page *page, const struct columns *columns)
{
	char top[COLUMNS_CELL_SIZE], bottom[COLUMNS_CELL_SIZE], before[COLUMNS_CELL_SIZE] = "";
	int width = 0;
	for (size_t i = 0; i < COLUMNS_COUNT; i++) {
		if (columns->widths[i] == 0)
			continue;
		columns_heading(columns, i, top, bottom);
		width += 2 + columns->widths[i];
		if (top[0] != '\0' && strcmp(top, before) != 0)
			width -= fprintf(page->stream, "%*s", width, top);
		memcpy(before, top, sizeof before);
	}
}

static void print_headings(const struct page *page, const struct columns *columns)
{
	char top[COLUMNS_CELL_SIZE], bottom[COLUMNS_CELL_SIZE];
	text_begin(page->stream, page->options->colour, TEXT_BOLD);
	print_tops(page, columns);
	fputc('\n', page->stream);
	for (size_t i = 0; i < COLUMNS_COUNT; i++) {
		columns_heading(columns, i, top, bottom);
		print_cell(page, columns->widths[i], bottom);
	}
	fprintf(page->stream, "  function");
	text_end(page->stream, page->options->colour);
	fputc('\n', page->stream);
}

static void print_row(const struct page *page, const struct columns *columns, size_t row)
{
	char cell[COLUMNS_CELL_SIZE];
	page_begin_row(page, &page->comparison->rows[row]);
	for (size_t i = 0; i < COLUMNS_COUNT; i++) {
		columns_value(columns, i, row, cell);
		print_cell(page, columns->widths[i], cell);
	}
	fprintf(page->stream, "  ");
	page_print_name(page, row);
	text_end(page->stream, page->options->colour);
	fputc('\n', page->stream);
}

static void print_what_is_left(const struct page *page, size_t left)
{
	char rest[COLUMNS_REST_SIZE];
	if (left > 0)
		fprintf(page->stream, "\n%s %s not shown; %s\n", columns_rest(page->comparison, rest),
		        left == 1 ? "is" : "are", page->options->hints[HINT_SHOW_ALL]);
}

static void print_table(const struct page *page, size_t count)
{
	const struct columns columns = columns_measure(page->comparison, 0, count, true);
	char unit[NOTES_UNIT_SIZE];
	fprintf(page->stream, "\nFunctions by effect, times in %s ", columns.unit.name);
	text_print(page->stream, notes_unit_of_work(page->notes, unit));
	fprintf(page->stream, "; in parentheses: not significant, or unknown\n\n");
	print_headings(page, &columns);
	for (size_t i = 0; i < count; i++)
		if (columns_is_listed(&page->comparison->rows[i]))
			print_row(page, &columns, i);
}

static void print_rows(const struct page *page)
{
	const struct comparison *comparison = page->comparison;
	size_t count = page->options->all ? comparison->row_count : comparison->changed_count;
	if (comparison->changed_count == 0)
		fprintf(page->stream, "\nNo function changed\n");
	if (columns_count_listed(comparison, 0, count) > 0)
		print_table(page, count);
	print_what_is_left(page, columns_count_listed(comparison, count, comparison->row_count));
}

static void print_breach(const struct page *page, const struct rule_result *result, const struct rule_breach *breach)
{
	char text[FORMAT_VALUES_SIZE];
	if (breach->row == PAIRING_NONE)
		fputs("the firmware", page->stream);
	else
		text_print(page->stream, notes_name(page->notes, breach->row));
	fprintf(page->stream, ": %s\n", format_breach(page->comparison, result, breach, text));
}

static void print_nearest(const struct page *page, const struct rule_result *result)
{
	if (!result->has_nearest)
		return;
	fprintf(page->stream, "            nearest: ");
	print_breach(page, result, &result->nearest);
}

static void print_breaches(const struct page *page, const struct rule_result *result)
{
	size_t shown = page->options->all || result->breach_count < BREACHES_MAX ? result->breach_count : BREACHES_MAX;
	for (size_t i = 0; i < shown; i++) {
		fprintf(page->stream, "            ");
		print_breach(page, result, &result->breaches[i]);
	}
	if (shown < result->breach_count)
		fprintf(page->stream, "            and %zu more; %s\n", result->breach_count - shown,
		        page->options->hints[HINT_SHOW_ALL]);
}

static void print_rule(const struct page *page, const struct rule_result *result)
{
	bool is_broken = result->breach_count > 0;
	text_begin(page->stream, page->options->colour, is_broken ? TEXT_WARNING : TEXT_GOOD);
	fprintf(page->stream, "  %-8s", is_broken ? "BROKEN" : "held");
	text_end(page->stream, page->options->colour);
	text_print(page->stream, result->text);
	fputs("  (", page->stream);
	text_print(page->stream, result->origin);
	if (!result->is_of_firmware)
		fprintf(page->stream, ", %zu function%s", result->looked_at, result->looked_at == 1 ? "" : "s");
	fputs(")\n", page->stream);
	if (is_broken)
		print_breaches(page, result);
	else
		print_nearest(page, result);
}

static void print_rules(const struct page *page)
{
	const struct rule_results *rules = page->rules;
	if (rules->count == 0)
		return;
	fprintf(page->stream, "\nRules: %zu of %zu broken\n\n", rules->broken, rules->count);
	for (size_t i = 0; i < rules->count; i++)
		print_rule(page, &rules->items[i]);
}

static enum status print_page(const struct page *page, struct error *error)
{
	enum status status = print_head(page, error);
	if (status != STATUS_OK)
		return status;
	print_whole(page);
	print_rows(page);
	if (page->options->graph)
		status = page_print_graph(page, error);
	if (status == STATUS_OK)
		print_rules(page);
	return status;
}

static enum status write_text(const struct comparison *comparison, const struct rule_results *rules,
                              const struct diff_output_options *options, FILE *stream, struct error *error)
{
	struct notes *notes;
	enum status status = notes_create(comparison, options->names, &notes, error);
	const struct page page = {comparison, rules, options, notes, stream};
	if (status == STATUS_OK)
		status = print_page(&page, error);
	notes_free(notes);
	return status;
}

const struct diff_format diff_text = {
        .name = "text",
        .summary = "a page for people",
        .write = write_text,
};
