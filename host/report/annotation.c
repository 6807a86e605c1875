/* SPDX-License-Identifier: MIT */
/* The columns and rows of annotated source, and the rows of one file with its source. */
#include "report/annotation.h"

#include "base/text/text.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

size_t annotation_choose_columns(const struct report *report, struct report_column columns[ANNOTATION_COLUMNS_MAX])
{
	const int time = report->time_width;
	size_t count = 0;

	columns[count++] = (struct report_column){"self %", (int)strlen("100.00")};
	columns[count++] = (struct report_column){report_by_unit(report, "self s", "self spl"), time};
	columns[count++] = (struct report_column){report_error_heading(report), time};
	if (report->profile->measurement != NULL) {
		columns[count++] = (struct report_column){report_by_unit(report, "total s", "total spl"),
		                                          time + report->bound_width};
		columns[count++] = (struct report_column){report_error_heading(report), time};
	}
	columns[count++] = (struct report_column){report_by_unit(report, "inlined s", "inlined spl"), time};
	columns[count++] = (struct report_column){"calls", report->calls_width};
	return count;
}

void annotation_print_headings(const struct annotation *annotation, const char *last)
{
	report_print_headings(annotation->report, annotation->columns, annotation->column_count, last);
}

static void format_annotated_time(const struct report *report, double time, bool is_lower_bound,
                                  char cell[REPORT_CELL_SIZE])
{
	if (time > 0)
		snprintf(cell, REPORT_CELL_SIZE, "%s%.*f", is_lower_bound ? REPORT_LOWER_BOUND : "",
		         report->time_decimals, time);
}

void annotation_print_values(const struct annotation *annotation, const struct annotation_row *row)
{
	const struct report *report = annotation->report;
	const struct annotation_row none = {.file = NULL};
	char cells[ANNOTATION_COLUMNS_MAX][REPORT_CELL_SIZE] = {{0}};
	size_t i = 0;

	row = row == NULL ? &none : row;
	if (row->self_time > 0)
		snprintf(cells[i], sizeof cells[i], "%.2f", report_percent(row->self_time, report->whole_time));
	i++;
	format_annotated_time(report, row->self_time, false, cells[i++]);
	format_annotated_time(report, sqrt(row->self_variance), false, cells[i++]);
	if (report->profile->measurement != NULL) {
		format_annotated_time(report, row->total_time, row->is_lower_bound, cells[i++]);
		format_annotated_time(report,
		                      row->total_time > 0 && !row->is_lower_bound ? sqrt(row->total_variance) : 0,
		                      false, cells[i++]);
	}
	format_annotated_time(report, row->inlined_time, false, cells[i++]);
	if (row->calls > 0)
		snprintf(cells[i], sizeof cells[i], "%" PRIu64, row->calls);
	report_print_cells(report, annotation->columns, annotation->column_count, cells);
}

void annotation_print_row(const struct annotation *annotation, const struct annotation_row *row)
{
	FILE *stream = annotation->report->stream;

	annotation_print_values(annotation, row);
	if (row->file == NULL) {
		fputs(row->is_recorder ? "<bareprof>\n" : "<unknown line>\n", stream);
		return;
	}
	text_print(stream, row->file);
	fprintf(stream, ":%d\n", row->line);
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

static void print_source_text(const struct report *report, const struct source_file *source, int line)
{
	size_t length;
	const char *text = source_line(source, (size_t)line, &length);

	fprintf(report->stream, length > 0 ? "%6d  " : "%6d", line);
	bool is_cut = length > SOURCE_LENGTH_MAX;
	text_print_source(report->stream, text, is_cut ? whole_characters(text, SOURCE_LENGTH_MAX) : length);
	if (is_cut)
		fprintf(report->stream, "... (%zu bytes)", length);
}

static void print_annotated_line(const struct annotation *annotation, const struct source_file *source,
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

static bool is_behind_end(const struct source_file *source, const struct annotation_row *row)
{
	return (size_t)row->line > source->line_count;
}

static void print_with_source(const struct annotation *annotation, const struct annotation_file *file,
                              const struct source_file *source)
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
		if (first > next) {
			annotation_print_values(annotation, NULL);
			fputs("   ...\n", annotation->report->stream);
		}
		for (; first < row->line; first++)
			print_annotated_line(annotation, source, NULL, first);
		print_annotated_line(annotation, source, row, row->line);
		int last = i + 1 < file->count && (size_t)file->rows[i + 1].line <= source->line_count
		                   ? file->rows[i + 1].line - 1
		                   : (int)source->line_count;
		for (next = row->line + 1; next <= last && next <= row->line + ANNOTATION_LINES_AROUND; next++)
			print_annotated_line(annotation, source, NULL, next);
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

/* Warns if the source may differ from the one that was compiled. */
static void warn_of_other_source(const struct report *report, const struct annotation_file *file,
                                 const struct source_file *source)
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
	const struct source_file *source = sources_find(&annotation->sources, file->rows[0].file);
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
