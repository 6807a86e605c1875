/* SPDX-License-Identifier: MIT */
/* The page of a profile. Without JavaScript it shows the header of the report and a flat profile, as text. */
#include "report/html.h"

#include "base/text/escape.h"
#include "page/page.h"

#include <stdlib.h>
#include <string.h>

/* Rows of the flat profile that is shown in print and without JavaScript. */
#define PLAIN_ROWS 100

static void print_title(void *context)
{
	const struct html *html = context;

	fprintf(html->stream, "<title>bareprof: ");
	xml_print(html->stream, html->profile->image->path);
	fprintf(html->stream, "</title>\n");
}

static void print_heading(void *context)
{
	const struct html *html = context;

	fprintf(html->stream, "<h1>Profile of ");
	xml_print(html->stream, html->profile->image->path);
	fprintf(html->stream, "</h1>\n");
}

/* --- Parts of the report as text. */

static void print_escaped(struct html *html, char *text)
{
	for (char *line = text, *end; *line != '\0'; line = end) {
		end = line + strcspn(line, "\n");
		const bool has_end = *end != '\0';

		*end = '\0';
		xml_print(html->stream, line);
		fputc('\n', html->stream);
		end += has_end;
	}
}

/* Prints what print() writes into a report, in an element of this kind. */
static void print_text(struct html *html, const char *attributes, enum status (*print)(struct html *html))
{
	char *text = NULL;
	size_t size;
	FILE *memory = open_memstream(&text, &size);

	if (memory == NULL) {
		html->status = status_no_memory(html->error, html->profile->image->path);
		return;
	}
	html->report.stream = memory;
	const enum status status = print(html);
	if (fclose(memory) != 0 || status != STATUS_OK) {
		html->status = status != STATUS_OK ? status : status_no_memory(html->error, html->profile->image->path);
	} else {
		fprintf(html->stream, "<pre%s>", attributes);
		print_escaped(html, text);
		fprintf(html->stream, "</pre>\n");
	}
	html->report.stream = html->stream;
	free(text);
}

static enum status print_header(struct html *html)
{
	report_print_header(&html->report);
	report_print_warnings(&html->report);
	report_print_contexts(&html->report);
	return STATUS_OK;
}

static enum status print_losses(struct html *html)
{
	report_print_losses(&html->report);
	return STATUS_OK;
}

static void print_head(void *context)
{
	struct html *html = context;

	print_text(html, "", print_header);
	fputs("<details><summary>Losses</summary>\n", html->stream);
	print_text(html, "", print_losses);
	fputs("</details>\n", html->stream);
}

static enum status print_flat(struct html *html)
{
	return report_print_flat(&html->report, html->error);
}

/* The table is empty: the scripts fill it in. */
static void print_functions(void *context)
{
	const struct html *html = context;

	print_text(context, " id=\"plain\"", print_flat);
	fputs("<table id=\"functions\"><thead><tr></tr></thead><tbody></tbody></table>\n", html->stream);
}

static void print_data(void *context)
{
	html_print_profile(context);
}

static const struct page_slot slots[] = {
        {"title", print_title},         {"heading", print_heading}, {"head", print_head},
        {"functions", print_functions}, {"data", print_data},       {NULL, NULL},
};

enum status output_html(const struct profile *profile, const struct output_html_options *options, FILE *stream,
                        struct error *error)
{
	struct output_report_options of_report = *options->report;
	struct html html = {.profile = profile, .options = options, .stream = stream, .error = error};

	html.sources.paths = options->paths;
	html.sources.paths.compilation_folder = image_compilation_folder(profile->image);
	of_report.colour = false;
	of_report.flat = true;
	of_report.graph = false;
	of_report.top = PLAIN_ROWS;
	html.status = report_begin(profile, &of_report, stream, &html.report, error);
	if (html.status == STATUS_OK)
		html.status = report_order_entries(&html.report, error);
	if (html.status == STATUS_OK)
		page_print(stream, slots, &html);
	sources_free(&html.sources);
	report_end(&html.report);
	return html.status;
}
