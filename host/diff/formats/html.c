/* SPDX-License-Identifier: MIT */
/* A self-contained HTML page: page/page.html with its slots filled in. Without JavaScript it shows the table of
 * changed functions. A content security policy keeps hostile names from loading or running anything. */
#include "diff/formats/html.h"
#include "base/text/escape.h"

#include <string.h>

/* Only what has these hashes is applied and run; nothing is loaded (Content Security Policy Level 3, 2.3.1). */
static void print_policy(const struct html *html)
{
	fprintf(html->stream,
	        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; base-uri 'none'; "
	        "form-action 'none'; style-src 'sha256-%s'; script-src 'sha256-%s'\">\n",
	        html_style_hash, html_script_hash);
}

static void print_title(const struct html *html)
{
	fprintf(html->stream, "<title>bareprof diff: ");
	xml_print(html->stream, html->output->options->labels[BUILD_OLD]);
	fprintf(html->stream, " and ");
	xml_print(html->stream, html->output->options->labels[BUILD_NEW]);
	fprintf(html->stream, "</title>\n");
}

static void print_lines(FILE *stream, const char *const *lines)
{
	for (; *lines != NULL; lines++)
		fputs(*lines, stream);
}

/* The policy's hashes are of every byte between the tags. */
static void print_style(const struct html *html)
{
	fprintf(html->stream, "<style>");
	print_lines(html->stream, html_style);
	fprintf(html->stream, "</style>\n");
}

static void print_script(const struct html *html)
{
	fprintf(html->stream, "<script>");
	print_lines(html->stream, html_script);
	fprintf(html->stream, "</script>\n");
}

/* Lines of page.html, and what is printed in their place. */
static const struct {
	const char *line;
	void (*print)(const struct html *html);
} slots[] = {
        {"<!-- policy -->\n", print_policy},
        {"<!-- title -->\n", print_title},
        {"<!-- style -->\n", print_style},
        {"<!-- head -->\n", html_print_head},
        {"<!-- whole -->\n", html_print_whole},
        {"<!-- rules -->\n", html_print_rules},
        {"<!-- functions -->\n", html_print_functions},
        {"<!-- bar -->\n", html_print_bar_template},
        {"<!-- data -->\n", html_print_data},
        {"<!-- script -->\n", print_script},
};

static void print_line(const struct html *html, const char *line)
{
	for (size_t i = 0; i < sizeof slots / sizeof *slots; i++) {
		if (strcmp(line, slots[i].line) == 0) {
			slots[i].print(html);
			return;
		}
	}
	fputs(line, html->stream);
}

static enum status write_html(const struct output *output, struct error *error)
{
	struct html html = {.output = output, .comparison = output->comparison, .stream = output->stream};
	(void)error;
	html_find_columns(&html);
	for (const char *const *line = html_page; *line != NULL; line++)
		print_line(&html, *line);
	return STATUS_OK;
}

const struct diff_format diff_html = {
        .name = "html",
        .summary = "one page for a browser, which loads nothing",
        .write = write_html,
        .print_name = xml_print,
        .print_text = xml_print,
        .print_numbers = xml_print,
};
