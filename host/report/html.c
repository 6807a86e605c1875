/* SPDX-License-Identifier: MIT */
/* The page of a profile. Without JavaScript it shows the header of the report and a flat profile, as text. */
#include "report/html.h"

#include "base/text/escape.h"
#include "page/page.h"

#include <stdlib.h>
#include <string.h>

/* Rows of the flat profile that is shown in print and without JavaScript. */
#define PLAIN_ROWS 100

static void print_page_title(void *context)
{
	const struct report *report = &((struct html *)context)->report;

	fprintf(report->stream, "<title>bareprof: ");
	xml_print(report->stream, report->profile->image->path);
	fprintf(report->stream, "</title>\n");
}

static void print_page_heading(void *context)
{
	const struct report *report = &((struct html *)context)->report;

	fprintf(report->stream, "<h1>Profile of ");
	xml_print(report->stream, report->profile->image->path);
	fprintf(report->stream, "</h1>\n");
}

/* --- Parts of the report as text. */

/* Prints a part of the report in an element with these attributes. */
static void print_text_element(struct html *html, const char *attributes,
                               enum status (*print)(const struct report *report, struct error *error))
{
	FILE *stream = html->report.stream;
	struct report of_text = html->report;
	char *text = NULL, *line;
	size_t size;

	of_text.stream = open_memstream(&text, &size);
	enum status status = of_text.stream != NULL ? print(&of_text, html->error) : STATUS_OK;
	if (of_text.stream == NULL || (fclose(of_text.stream) != 0 && status == STATUS_OK))
		status = status_no_memory(html->error, of_text.profile->image->path);
	if (status == STATUS_OK) {
		fprintf(stream, "<pre%s>", attributes);
		for (char *rest = text; (line = strsep(&rest, "\n")) != NULL && (*line != '\0' || rest != NULL);) {
			xml_print(stream, line);
			fputc('\n', stream);
		}
		fprintf(stream, "</pre>\n");
	} else {
		html->status = status;
	}
	free(text);
}

static enum status print_page_report_header(const struct report *report, struct error *error)
{
	(void)error;
	report_print_header(report);
	report_print_warnings(report);
	report_print_contexts(report);
	return STATUS_OK;
}

static enum status print_page_losses(const struct report *report, struct error *error)
{
	(void)error;
	report_print_losses(report);
	return STATUS_OK;
}

static void print_page_head(void *context)
{
	struct html *html = context;

	print_text_element(html, "", print_page_report_header);
	fputs("<details><summary>Losses</summary>\n", html->report.stream);
	print_text_element(html, "", print_page_losses);
	fputs("</details>\n", html->report.stream);
}

/* The table is empty: the scripts fill it in. */
static void print_page_functions(void *context)
{
	struct html *html = context;

	print_text_element(html, " id=\"plain\"", report_print_flat);
	fputs("<table id=\"functions\"><thead><tr></tr></thead><tbody></tbody></table>\n", html->report.stream);
}

static const struct page_slot slots[] = {
        {"title", print_page_title},         {"heading", print_page_heading}, {"head", print_page_head},
        {"functions", print_page_functions}, {"data", html_print_profile},    {NULL, NULL},
};

enum status output_html(const struct profile *profile, const struct output_report_options *options, FILE *stream,
                        struct error *error)
{
	struct output_report_options page_options = *options;
	struct html html = {.sources.paths = options->paths, .error = error};

	html.sources.paths.compilation_folder = image_compilation_folder(profile->image);
	page_options.colour = false;
	page_options.flat = page_options.by_context = page_options.by_core = true;
	page_options.graph = false;
	page_options.top = PLAIN_ROWS;
	html.status = report_begin(profile, &page_options, stream, &html.report, error);
	html.report.shows_lines = true;
	if (html.status == STATUS_OK)
		html.status = report_order_entries(&html.report, error);
	if (html.status == STATUS_OK)
		page_print(stream, slots, &html);
	sources_free(&html.sources);
	report_end(&html.report);
	return html.status;
}
