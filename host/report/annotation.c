/* SPDX-License-Identifier: MIT */
/* The columns and rows of annotated source, and the rows of one file with its source. */
#include "report/annotation.h"

#include "base/text/text.h"

#include <math.h>
#include <string.h>

static const char *inlined_heading(const struct report *report)
{
	return report->profile->time_unit == PROFILE_SECONDS ? "inlined s" : "inlined spl";
}

static const char *total_heading(const struct report *report)
{
	return report->profile->time_unit == PROFILE_SECONDS ? "total s" : "total spl";
}

struct annotation_widths annotation_measure(const struct report *report)
{
	return (struct annotation_widths){
	        .share = (int)strlen(" 100.00"),
	        .self = report_column_width(report->time_width, report_self_heading(report)),
	        .error = report_column_width(report->time_width, report_error_heading(report)),
	        .total = report->profile->measurement == NULL
	                         ? 0
	                         : report_column_width(report->time_width + report->bound_width, total_heading(report)),
	        .inlined = report_column_width(report->time_width, inlined_heading(report)),
	        .calls = report_column_width(report->calls_width, "calls"),
	};
}

void annotation_print_headings(const struct annotation *annotation, const char *last)
{
	const struct report *report = annotation->report;
	const struct annotation_widths *widths = &annotation->widths;

	text_begin(report->stream, report->colour, TEXT_BOLD);
	fprintf(report->stream, "%*s  %*s  %*s", widths->share, "self %", widths->self, report_self_heading(report),
	        widths->error, report_error_heading(report));
	if (widths->total > 0)
		fprintf(report->stream, "  %*s  %*s", widths->total, total_heading(report), widths->error,
		        report_error_heading(report));
	fprintf(report->stream, "  %*s  %*s  %s", widths->inlined, inlined_heading(report), widths->calls, "calls",
	        last);
	text_end(report->stream, report->colour);
	fputc('\n', report->stream);
}

static void print_total(const struct report *report, int width, double time, bool is_lower_bound)
{
	char cell[48] = "";

	if (time > 0)
		snprintf(cell, sizeof cell, "%s%.*f", is_lower_bound ? REPORT_LOWER_BOUND : "", report->time_decimals,
		         time);
	fprintf(report->stream, "  %*s", width, cell);
}

static void print_time(const struct report *report, int width, double time)
{
	print_total(report, width, time, false);
}

void annotation_print_values(const struct annotation *annotation, const struct annotation_row *row)
{
	const struct report *report = annotation->report;
	const struct annotation_widths *widths = &annotation->widths;
	const struct annotation_row none = {.file = NULL};

	row = row == NULL ? &none : row;
	if (row->self_time > 0)
		fprintf(report->stream, "%*.2f", widths->share, report_percent(row->self_time, report->whole_time));
	else
		fprintf(report->stream, "%*s", widths->share, "");
	print_time(report, widths->self, row->self_time);
	print_time(report, widths->error, sqrt(row->self_variance));
	if (widths->total > 0) {
		print_total(report, widths->total, row->total_time, row->is_lower_bound);
		print_time(report, widths->error,
		           row->total_time > 0 && !row->is_lower_bound ? sqrt(row->total_variance) : 0);
	}
	print_time(report, widths->inlined, row->inlined_time);
	if (row->calls > 0)
		fprintf(report->stream, "  %*llu  ", widths->calls, (unsigned long long)row->calls);
	else
		fprintf(report->stream, "  %*s  ", widths->calls, "");
}

static void print_place(const struct report *report, const struct annotation_row *row)
{
	if (row->file == NULL) {
		fprintf(report->stream, "%s", row->is_recorder ? "<bareprof>" : "<unknown line>");
		return;
	}
	text_print(report->stream, row->file);
	fprintf(report->stream, ":%d", row->line);
}

void annotation_print_row(const struct annotation *annotation, const struct annotation_row *row)
{
	annotation_print_values(annotation, row);
	print_place(annotation->report, row);
	fputc('\n', annotation->report->stream);
}

/*
 * The length without an incomplete UTF-8 character at the end. All bytes of a character except the first are 10xxxxxx.
 */
static size_t whole_characters(const char *text, size_t length)
{
	size_t start = length;

	while (start > 0 && length - start < 3 && ((unsigned char)text[start] & 0xC0) == 0x80)
		start--;
	return start;
}

static void print_source_text(const struct report *report, const struct source *source, int line)
{
	size_t length;
	const char *text = source_line(source, (size_t)line, &length);

	fprintf(report->stream, length > 0 ? "%6d  " : "%6d", line);
	bool is_cut = length > SOURCE_LENGTH_MAX;
	text_print_source(report->stream, text, is_cut ? whole_characters(text, SOURCE_LENGTH_MAX) : length);
	if (is_cut)
		fprintf(report->stream, "... (%zu bytes)", length);
}

static void print_source_line(const struct annotation *annotation, const struct source *source,
                              const struct annotation_row *row, int line)
{
	const struct report *report = annotation->report;
	bool is_hot = row != NULL && row->self_time > 0;

	annotation_print_values(annotation, row);
	text_begin(report->stream, report->colour, is_hot ? TEXT_BOLD : TEXT_DIM);
	print_source_text(report, source, line);
	text_end(report->stream, report->colour);
	fputc('\n', report->stream);
}

/* The last line shown around the row. */
static int last_around(const struct source *source, const struct annotation_row *row)
{
	size_t last = (size_t)row->line + ANNOTATION_LINES_AROUND;

	return last > source->line_count ? (int)source->line_count : (int)last;
}

static bool is_behind_end(const struct source *source, const struct annotation_row *row)
{
	return (size_t)row->line > source->line_count;
}

/* Marks a place where lines of the source are left out. */
static void print_gap(const struct annotation *annotation)
{
	annotation_print_values(annotation, NULL);
	fprintf(annotation->report->stream, "   ...\n");
}

static void print_with_source(const struct annotation *annotation, const struct annotation_file *file,
                              const struct source *source)
{
	int next = 1;

	for (size_t i = 0; i < file->count; i++) {
		const struct annotation_row *row = &file->rows[i];

		if (row->is_folded)
			continue;
		if (is_behind_end(source, row)) {
			annotation_print_row(annotation, row);
			continue;
		}
		int first = row->line - ANNOTATION_LINES_AROUND > next ? row->line - ANNOTATION_LINES_AROUND : next;
		if (first > next)
			print_gap(annotation);
		for (; first < row->line; first++)
			print_source_line(annotation, source, NULL, first);
		print_source_line(annotation, source, row, row->line);
		int limit = i + 1 < file->count ? file->rows[i + 1].line - 1 : INT32_MAX;
		int last = last_around(source, row);
		for (next = row->line + 1; next <= last && next <= limit; next++)
			print_source_line(annotation, source, NULL, next);
	}
}

static void print_heading_of_file(const struct report *report, const struct annotation_file *file)
{
	fputc('\n', report->stream);
	text_begin(report->stream, report->colour, TEXT_BOLD);
	text_print(report->stream, file->rows[0].file);
	text_end(report->stream, report->colour);
	fprintf(report->stream, ": %.2f %%\n", report_percent(file->self_time, report->whole_time));
}

/* Warns if the source may not be what was compiled. */
static void warn_of_other_source(const struct report *report, const struct annotation_file *file,
                                 const struct source *source)
{
	if (is_behind_end(source, &file->rows[file->count - 1]))
		report_warn(report, NULL,
		            "the source has fewer lines than the compiled version: the file found is another version");
	else if (source_is_newer(source, report->profile->image->path))
		report_warn(report, NULL,
		            "the source is newer than the firmware, so times may be next to the wrong lines");
}

void annotation_print_file(struct annotation *annotation, const struct annotation_file *file)
{
	const struct report *report = annotation->report;

	sources_trim(&annotation->sources);
	const struct source *source = sources_find(&annotation->sources, file->rows[0].file);
	print_heading_of_file(report, file);
	if (source != NULL)
		warn_of_other_source(report, file, source);
	else
		report_warn(report, NULL, "source not found; %s", report->options->hints[HINT_FIND_SOURCES]);
	fputc('\n', report->stream);
	annotation_print_headings(annotation, source != NULL ? "  line  source" : "line");
	if (source != NULL)
		print_with_source(annotation, file, source);
	for (size_t i = 0; source == NULL && i < file->count; i++)
		if (!file->rows[i].is_folded)
			annotation_print_row(annotation, &file->rows[i]);
}
