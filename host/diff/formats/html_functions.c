/* SPDX-License-Identifier: MIT */
/* The table of changed functions that is shown without JavaScript. The script replaces it. */
#include "base/text/escape.h"
#include "diff/formats/html.h"

static const char *const verdict_classes[] = {
        [COMPARE_UNKNOWN] = "",
        [COMPARE_NOISE] = " class=\"noise\"",
        [COMPARE_LESS] = " class=\"less\"",
        [COMPARE_MORE] = " class=\"more\"",
};

/* The same elements as the script copies from the template. */
static void print_bar(FILE *stream, const struct html_bar *bar, const char *label)
{
	fprintf(stream,
	        "<svg viewBox=\"-100 -8 200 16\" preserveAspectRatio=\"none\" role=\"img\"><title>%s</title><path "
	        "class=\"ticks\" d=\"M-50-8V8M50-8V8\"/><path class=\"zero\" d=\"M0-8V8\"/><path class=\"interval\" "
	        "d=\"%s\"/><path class=\"arrows\" d=\"%s\"/><path class=\"estimate\" d=\"%s\"/></svg>",
	        label, bar->interval, bar->arrows, bar->estimate);
}

static void print_cell(FILE *stream, const struct html_cell *cell)
{
	fprintf(stream, "<td%s", verdict_classes[cell->verdict]);
	if (cell->hint[0] != '\0')
		fprintf(stream, " title=\"%s\"", cell->hint);
	fprintf(stream, ">");
	if (cell->is_bar)
		print_bar(stream, &cell->bar, cell->text);
	else
		xml_print(stream, cell->text);
	fprintf(stream, "</td>");
}

static void print_name(const struct html *html, size_t row)
{
	const char *note = notes_text(html->output->notes, row);
	fprintf(html->stream, "<th scope=\"row\">");
	xml_print(html->stream, notes_name(html->output->notes, row));
	if (note[0] != '\0') {
		fprintf(html->stream, " <span class=\"note\">");
		xml_print(html->stream, note);
		fprintf(html->stream, "</span>");
	}
	fprintf(html->stream, "</th>");
}

static void print_row(const struct html *html, size_t row)
{
	const struct item item = item_of_row(&html->comparison->rows[row]);
	fprintf(html->stream, "<tr>");
	print_name(html, row);
	for (size_t i = 0; i < html->column_count; i++) {
		struct html_cell cell;
		html_fill_cell(html, i, &item, &cell);
		print_cell(html->stream, &cell);
	}
	fprintf(html->stream, "</tr>\n");
}

static void print_titles(const struct html *html)
{
	fprintf(html->stream, "<thead>\n<tr><th scope=\"col\">function</th>");
	for (size_t i = 0; i < html->column_count; i++) {
		fprintf(html->stream, "<th scope=\"col\">");
		html_print_title(html, i);
		fprintf(html->stream, "</th>");
	}
	fprintf(html->stream, "</tr>\n</thead>\n");
}

/* If nothing changed, the table has no other text. */
static void print_caption(const struct html *html)
{
	char rest[COLUMNS_REST_SIZE], unit[NOTES_UNIT_SIZE];
	fprintf(html->stream, "<caption>%zu changed, largest effect first; %s; times ", html->comparison->changed_count,
	        columns_rest(html->comparison, rest));
	xml_print(html->stream, notes_unit_of_work(html->output->notes, unit));
	fprintf(html->stream, "</caption>\n");
}

void html_print_functions(const struct html *html)
{
	fprintf(html->stream, "<table id=\"functions\">\n");
	print_caption(html);
	print_titles(html);
	fprintf(html->stream, "<tbody>\n");
	for (size_t i = 0; i < html->comparison->changed_count; i++)
		print_row(html, i);
	fprintf(html->stream, "</tbody>\n</table>\n");
}

void html_print_bar_template(const struct html *html)
{
	fprintf(html->stream, "<template id=\"bar\">");
	print_bar(html->stream, &(struct html_bar){"", "", ""}, "");
	fprintf(html->stream, "</template>\n");
}
