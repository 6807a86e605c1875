/* SPDX-License-Identifier: MIT */
/* The beginning of the page: what was compared, the warnings, the firmware as a whole, and the rules. */
#include "base/text/escape.h"
#include "diff/formats/columns.h"
#include "diff/formats/html.h"

/* Rows that broke a rule and are named; of others it is said how many there are. */
#define BREACHES_MAX 20

void html_print_head(const struct html *html)
{
	fprintf(html->stream, "<table class=\"head\">\n<tbody>\n");
	for (size_t i = 0; i < html->head.count; i++) {
		const struct head_line *line = &html->head.lines[i];
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

static void print_breach(const struct html *html, const struct rule_result *result, const struct rule_breach *breach)
{
	char text[FORMAT_VALUES_SIZE];
	xml_print(html->stream, breach->row == PAIRING_NONE ? "the firmware" : notes_name(html->notes, breach->row));
	fprintf(html->stream, ": ");
	xml_print(html->stream, format_breach(html->comparison, result, breach, text));
}

static void print_result(const struct html *html, const struct rule_result *result)
{
	bool is_broken = result->breach_count > 0;
	fprintf(html->stream, "<tr><td class=\"%s\">%s</td><th scope=\"row\"><code>", is_broken ? "broken" : "held",
	        is_broken ? "BROKEN" : "held");
	xml_print(html->stream, result->text);
	fprintf(html->stream, "</code>");
	if (!is_broken && result->has_nearest) {
		fprintf(html->stream, "<br>nearest: ");
		print_breach(html, result, &result->nearest);
	}
	for (size_t i = 0; i < result->breach_count && i < BREACHES_MAX; i++) {
		fprintf(html->stream, "<br>");
		print_breach(html, result, &result->breaches[i]);
	}
	if (result->breach_count > BREACHES_MAX)
		fprintf(html->stream, "<br>and %zu more", result->breach_count - BREACHES_MAX);
	fprintf(html->stream, "</th></tr>\n");
}

void html_print_rules(const struct html *html)
{
	const struct rule_results *rules = html->rules;
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
