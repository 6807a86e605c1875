/* SPDX-License-Identifier: MIT */
/* The beginning of the page: builds, warnings, the firmware as a whole, the rules. */
#include "base/text/escape.h"
#include "diff/formats/columns.h"
#include "diff/formats/html.h"

void html_print_head(const struct html *html)
{
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

void html_print_whole(const struct html *html)
{
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

static void print_result(const struct html *html, const struct rule_result *result)
{
	bool is_broken = result->breach_count > 0;
	fprintf(html->stream, "<tr><td class=\"%s\">%s</td><th scope=\"row\"><code>", is_broken ? "broken" : "held",
	        is_broken ? "BROKEN" : "held");
	xml_print(html->stream, result->text);
	fprintf(html->stream, "</code>");
	output_print_breaches_as_lines(html->output, result);
	fprintf(html->stream, "</th></tr>\n");
}

void html_print_rules(const struct html *html)
{
	const struct rule_results *rules = html->output->rules;
	if (rules->count == 0)
		return;
	fprintf(html->stream,
	        "<section aria-labelledby=\"rules\">\n<h2 id=\"rules\">Rules: %zu of %zu broken</h2>\n"
	        "<table class=\"rules\">\n<tbody>\n",
	        rules->broken, rules->count);
	for (size_t i = 0; i < rules->count; i++)
		print_result(html, &rules->items[i]);
	fprintf(html->stream, "</tbody>\n</table>\n</section>\n");
}
