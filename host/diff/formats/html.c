/* SPDX-License-Identifier: MIT */
/* The page of a comparison. Without JavaScript it shows the table of changed functions. */
#include "diff/formats/html.h"

#include "base/text/escape.h"
#include "page/page.h"

static void print_diff_title(void *context)
{
	const struct diff_page *html = context;

	fprintf(html->stream, "<title>bareprof diff: ");
	xml_print(html->stream, html->output->options->labels[BUILD_OLD]);
	fprintf(html->stream, " and ");
	xml_print(html->stream, html->output->options->labels[BUILD_NEW]);
	fprintf(html->stream, "</title>\n");
}

/* --- The head: builds, warnings, the firmware as a whole, the rules. */

static void print_diff_head(void *context)
{
	const struct diff_page *html = context;

	fprintf(html->stream, "<table class=\"head\">\n<tbody>\n");
	for (size_t i = 0; i < html->output->head.count; i++) {
		const struct head_line *line = &html->output->head.lines[i];

		fprintf(html->stream, "<tr%s><th scope=\"row\">%s</th><td>",
		        line->is_warning ? " class=\"warning\"" : "", line->label);
		xml_print(html->stream, line->text);
		fprintf(html->stream, "</td></tr>\n");
	}
	fprintf(html->stream, "</tbody>\n</table>\n");
}

static void print_diff_whole(void *context)
{
	const struct diff_page *html = context;

	struct columns_whole lines[COLUMNS_WHOLE_MAX];
	size_t count = columns_of_whole(html->comparison, lines);

	fprintf(html->stream,
	        "<table class=\"whole\">\n<caption>In parentheses: not significant, or "
	        "unknown</caption>\n<thead>\n<tr><td></td><th scope=\"col\">old</th><th scope=\"col\">new"
	        "</th><th scope=\"col\">change</th><th scope=\"col\">interval</th></tr>\n</thead>\n<tbody>\n");
	for (size_t i = 0; i < count; i++)
		fprintf(html->stream,
		        "<tr><th scope=\"row\">%s</th><td>%s</td><td>%s</td><td>%s</td><td>%s</td></tr>\n",
		        lines[i].label, lines[i].old, lines[i].new, lines[i].change, lines[i].interval);
	fprintf(html->stream, "</tbody>\n</table>\n");
}

static void print_html_rule(const struct diff_page *html, const struct rule_result *result)
{
	bool is_broken = result->breach_count > 0;

	fprintf(html->stream, "<tr><td class=\"%s\">%s</td><th scope=\"row\"><code>", is_broken ? "broken" : "held",
	        is_broken ? "BROKEN" : "held");
	xml_print(html->stream, result->text);
	fprintf(html->stream, "</code>");
	output_print_breaches(html->output, result);
	fprintf(html->stream, "</th></tr>\n");
}

static void print_html_rules(void *context)
{
	const struct diff_page *html = context;

	const struct rule_results *rules = html->output->rules;

	if (rules->count == 0)
		return;
	fprintf(html->stream,
	        "<section aria-labelledby=\"rules\">\n<h2 id=\"rules\">Rules: %zu of %zu broken</h2>\n"
	        "<table class=\"rules\">\n<tbody>\n",
	        rules->broken, rules->count);
	for (size_t i = 0; i < rules->count; i++)
		print_html_rule(html, &rules->items[i]);
	fprintf(html->stream, "</tbody>\n</table>\n</section>\n");
}

/* --- The table of changed functions that is shown without JavaScript. The script replaces it. */

static const char *const verdict_classes[] = {
        [COMPARE_UNKNOWN] = "",
        [COMPARE_NOISE] = " class=\"noise\"",
        [COMPARE_LESS] = " class=\"less\"",
        [COMPARE_MORE] = " class=\"more\"",
};

/* Prints the same elements that the script copies from the template of page.html. */
static void print_bar(FILE *stream, const struct html_bar *bar, const char *label)
{
	fprintf(stream,
	        "<svg viewBox=\"-100 -8 200 16\" preserveAspectRatio=\"none\" role=\"img\"><title>%s</title><path "
	        "class=\"ticks\" d=\"M-50-8V8M50-8V8\"/><path class=\"zero\" d=\"M0-8V8\"/><path class=\"interval\" "
	        "d=\"%s\"/><path class=\"arrows\" d=\"%s\"/><path class=\"estimate\" d=\"%s\"/></svg>",
	        label, bar->interval, bar->arrows, bar->estimate);
}

static void print_html_cell(FILE *stream, const struct html_cell *cell)
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

static void print_html_name(const struct diff_page *html, size_t row)
{
	const char *note = notes_text(&html->output->notes, row);

	fprintf(html->stream, "<th scope=\"row\">");
	xml_print(html->stream, notes_name(&html->output->notes, row));
	if (note[0] != '\0') {
		fprintf(html->stream, " <span class=\"note\">");
		xml_print(html->stream, note);
		fprintf(html->stream, "</span>");
	}
	fprintf(html->stream, "</th>");
}

static void print_html_row(const struct diff_page *html, size_t row)
{
	const struct column_item item = item_of_row(&html->comparison->rows[row]);

	fprintf(html->stream, "<tr>");
	print_html_name(html, row);
	for (size_t i = 0; i < html->column_count; i++) {
		struct html_cell cell;

		html_fill_cell(html, i, &item, &cell);
		print_html_cell(html->stream, &cell);
	}
	fprintf(html->stream, "</tr>\n");
}

/* If nothing changed, the caption is the table's only text. */
static void print_html_functions(void *context)
{
	const struct diff_page *html = context;
	char rest[COLUMNS_REST_SIZE], unit[NOTES_UNIT_SIZE];

	fprintf(html->stream, "<table id=\"functions\">\n<caption>%zu changed, largest effect first; %s; times ",
	        html->comparison->changed_count, columns_rest(html->comparison, rest));
	xml_print(html->stream, notes_unit_of_work(&html->output->notes, unit));
	fprintf(html->stream, "</caption>\n<thead>\n<tr><th scope=\"col\">function</th>");
	for (size_t i = 0; i < html->column_count; i++) {
		fprintf(html->stream, "<th scope=\"col\">");
		html_print_title(html, i);
		fprintf(html->stream, "</th>");
	}
	fprintf(html->stream, "</tr>\n</thead>\n<tbody>\n");
	for (size_t i = 0; i < html->comparison->changed_count; i++)
		print_html_row(html, i);
	fprintf(html->stream, "</tbody>\n</table>\n");
}

/* --- The page. */

static void print_diff_heading(void *context)
{
	const struct diff_page *html = context;

	fputs("<h1>Builds compared</h1>\n", html->stream);
}

static void print_diff_data(void *context)
{
	struct diff_page *html = context;

	html->status = html_print_data(html, html->error);
}

static const struct page_slot slots[] = {
        {"title", print_diff_title}, {"heading", print_diff_heading},
        {"head", print_diff_head},   {"whole", print_diff_whole},
        {"rules", print_html_rules}, {"functions", print_html_functions},
        {"data", print_diff_data},   {NULL, NULL},
};

static enum status write_html(const struct diff_output *output, struct error *error)
{
	struct diff_page html = {
	        .output = output, .comparison = output->comparison, .stream = output->stream, .error = error};

	html_find_columns(&html);
	page_print(html.stream, slots, &html);
	return html.status;
}

const struct diff_format diff_html = {
        .name = "html",
        .summary = "one page for a browser, which loads nothing",
        .write = write_html,
        .print_name = xml_print,
        .print_text = xml_print,
        .print_numbers = xml_print,
        .breach_begin = "<br>",
        .breach_end = "",
        .breaches_max = OUTPUT_CELL_BREACHES_MAX,
};
