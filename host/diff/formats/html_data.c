/* SPDX-License-Identifier: MIT */
/* The page's data: all rows and arcs as its script (page/page.js) sorts and shows them. */
#include "base/text/json.h"
#include "diff/formats/columns.h"
#include "diff/formats/escape.h"
#include "diff/formats/html.h"

#include <math.h>

/* What is larger than all else, as JSON has no infinity. */
#define KEY_MAX 1e300

static const char verdict_marks[] = {
        [COMPARE_UNKNOWN] = ' ',
        [COMPARE_NOISE] = '.',
        [COMPARE_LESS] = '-',
        [COMPARE_MORE] = '+',
};

/* How a list of what cells have is written. */
struct list {
	const char *name;
	void (*print)(FILE *stream, const struct html_cell *cell);
	const char *separator, *begin, *end;
};

/* Those of a row, or of an arc. */
struct cells {
	struct html_cell items[HTML_COLUMNS_MAX];
	size_t count;
};

/* As a string that does not end the script element (HTML standard, 4.12.1.3). */
static void print_string(FILE *stream, const char *text)
{
	static const struct escape escapes[] = {{'"', "\\\""}, {'\\', "\\\\"}, {'<', "\\u003c"}, {'\0', NULL}};
	fputc('"', stream);
	escape_print(stream, text, escapes, "\\\\x");
	fputc('"', stream);
}

static void print_text_and_hint(FILE *stream, const struct html_cell *cell)
{
	fputc('[', stream);
	print_string(stream, cell->text);
	fputc(',', stream);
	print_string(stream, cell->hint);
	fputc(']', stream);
}

static void print_content(FILE *stream, const struct html_cell *cell)
{
	if (cell->is_bar)
		fprintf(stream, "[\"%s\",\"%s\",\"%s\",\"%s\"]", cell->bar.interval, cell->bar.arrows,
		        cell->bar.estimate, cell->text);
	else if (cell->hint[0] != '\0')
		print_text_and_hint(stream, cell);
	else
		print_string(stream, cell->text);
}

static void print_key(FILE *stream, const struct html_cell *cell)
{
	json_print_number(stream, isinf(cell->key) ? copysign(KEY_MAX, cell->key) : cell->key);
}

static void print_mark(FILE *stream, const struct html_cell *cell)
{
	fputc(verdict_marks[cell->verdict], stream);
}

static const struct list contents = {"cells", print_content, ",", "[", "]"};
static const struct list keys = {"keys", print_key, ",", "[", "]"};
static const struct list marks = {"marks", print_mark, "", "\"", "\""};

static void fill_cells(const struct html *html, const struct html_item *item, struct cells *cells)
{
	cells->count = 0;
	for (size_t i = 0; i < html->column_count; i++)
		if (item->row != NULL || html_is_of_arcs(html, i))
			html_fill_cell(html, i, item, &cells->items[cells->count++]);
}

static void print_list(FILE *stream, const struct cells *cells, const struct list *list)
{
	fprintf(stream, ",\"%s\":%s", list->name, list->begin);
	for (size_t i = 0; i < cells->count; i++) {
		fputs(i == 0 ? "" : list->separator, stream);
		list->print(stream, &cells->items[i]);
	}
	fputs(list->end, stream);
}

static void print_row(const struct html *html, size_t row)
{
	struct html_item item = html_item_of_row(html, row);
	struct cells cells;
	fill_cells(html, &item, &cells);
	fprintf(html->stream, "{\"name\":");
	print_string(html->stream, notes_name(html->notes, row));
	fprintf(html->stream, ",\"note\":");
	print_string(html->stream, notes_text(html->notes, row));
	print_list(html->stream, &cells, &contents);
	print_list(html->stream, &cells, &keys);
	print_list(html->stream, &cells, &marks);
	fputs(columns_is_listed(item.row) ? "}" : ",\"unlisted\":true}", html->stream);
}

static void print_arc(const struct html *html, const struct compare_arc *arc)
{
	struct html_item item = html_item_of_arc(html, arc);
	struct cells cells;
	fill_cells(html, &item, &cells);
	fprintf(html->stream, "{\"caller\":%zu,\"callee\":%zu,\"time\":", arc->caller, arc->callee);
	json_print_number(html->stream, compare_arc_weight(arc));
	print_list(html->stream, &cells, &contents);
	print_list(html->stream, &cells, &marks);
	fputc('}', html->stream);
}

static void print_arc_columns(const struct html *html)
{
	const char *separator = "";
	for (size_t i = 0; i < html->column_count; i++) {
		if (!html_is_of_arcs(html, i))
			continue;
		fprintf(html->stream, "%s%zu", separator, i);
		separator = ",";
	}
}

void html_print_data(const struct html *html)
{
	const struct comparison *comparison = html->comparison;
	fprintf(html->stream, "<script id=\"data\" type=\"application/json\">{\"changed\":%zu,\"arc_columns\":[",
	        comparison->changed_count);
	print_arc_columns(html);
	fprintf(html->stream, "],\"rows\":[");
	for (size_t i = 0; i < comparison->row_count; i++) {
		fputs(i == 0 ? "\n" : ",\n", html->stream);
		print_row(html, i);
	}
	fprintf(html->stream, "],\"arcs\":[");
	for (size_t i = 0; i < comparison->arc_count; i++) {
		fputs(i == 0 ? "\n" : ",\n", html->stream);
		print_arc(html, &comparison->arcs[i]);
	}
	fprintf(html->stream, "]}</script>\n");
}
