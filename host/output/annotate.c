/* SPDX-License-Identifier: MIT */
/* The annotated source: the hottest lines, then each file that has time or calls, with the text around them. */
#include "capture/count.h"
#include "output/report.h"
#include "output/source.h"
#include "text/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Lines of source that are shown before and behind one with time or calls. */
#define LINES_AROUND 3

/* Bytes of a line of source that are shown: generated code has lines of megabytes. */
#define LINE_LENGTH_MAX 1000

/* All that a source line has. */
struct row {
	const char *file; /* NULL: the line is not known */
	bool is_recorder; /* which has no lines */
	int line;
	double self_time, self_variance, inlined_time;
	uint64_t calls;
};

/* The rows of one source file. */
struct part {
	const struct row *rows;
	size_t count;
	double self_time;
};

/* Columns as wide as this annotation needs them, without the gaps between them. */
struct widths {
	int share, self, error, inlined, calls;
};

struct annotation {
	const struct report *report;
	const struct output_annotate_options *options;
	struct row *rows; /* by file and line; then one of no file, one of the recorder */
	size_t row_count;
	struct widths widths;
};

static bool ends_with_path(const char *file, const char *wanted)
{
	size_t length = strlen(file), wanted_length = strlen(wanted);
	if (wanted_length == 0 || wanted_length > length || strcmp(file + length - wanted_length, wanted) != 0)
		return false;
	return length == wanted_length || wanted[0] == '/' || file[length - wanted_length - 1] == '/';
}

/* Of the function, or inlined into it. */
static bool is_of_function(const struct annotation *annotation, const struct profile_line *line)
{
	const char *function = annotation->options->function;
	const struct profile_node *node = &annotation->report->profile->nodes[line->node];
	struct names *names = annotation->report->names;
	return function == NULL || names_is_called(names, line->function, function) ||
	       names_is_called(names, node->name, function);
}

static bool is_of_file(const struct annotation *annotation, const struct profile_line *line)
{
	const char *file = annotation->options->file;
	return file == NULL || (line->file != NULL && ends_with_path(line->file, file));
}

static bool is_wanted(const struct annotation *annotation, const struct profile_line *line)
{
	return is_of_function(annotation, line) && is_of_file(annotation, line);
}

static bool is_of_recorder(const struct annotation *annotation, const struct profile_line *line)
{
	return annotation->report->profile->nodes[line->node].kind == PROFILE_BAREPROF;
}

static bool is_same_line(const struct row *row, const struct profile_line *line)
{
	if (row->file == NULL || line->file == NULL)
		return row->file == line->file;
	return row->line == line->line && strcmp(row->file, line->file) == 0;
}

static void add_line(struct annotation *annotation, const struct profile_line *line)
{
	struct row *last = annotation->row_count == 0 ? NULL : &annotation->rows[annotation->row_count - 1];
	if (last == NULL || is_of_recorder(annotation, line) || !is_same_line(last, line)) {
		last = &annotation->rows[annotation->row_count++];
		*last = (struct row){.file = line->file, .line = line->line};
		last->is_recorder = is_of_recorder(annotation, line);
	}
	last->self_time += line->self_time;
	last->self_variance += line->self_variance;
	last->inlined_time += line->inlined_time;
	count_add(&last->calls, line->calls);
}

static bool any_line(const struct annotation *annotation,
                     bool (*holds)(const struct annotation *annotation, const struct profile_line *line))
{
	const struct profile *profile = annotation->report->profile;
	for (size_t i = 0; i < profile->line_count; i++)
		if (holds(annotation, &profile->lines[i]))
			return true;
	return false;
}

static bool is_in_firmware(const struct annotation *annotation, const char *function)
{
	const struct profile *profile = annotation->report->profile;
	for (size_t i = 0; i < profile->node_count; i++)
		if (names_is_called(annotation->report->names, profile->nodes[i].name, function))
			return true;
	return false;
}

/* Nothing is left; without options that is no failure. */
static enum status tell_why_empty(const struct annotation *annotation, struct error *error)
{
	const char *function = annotation->options->function, *file = annotation->options->file;
	if (function != NULL && !any_line(annotation, is_of_function))
		return status_fail(error, "--function=%s: %s", function,
		                   is_in_firmware(annotation, function)
		                           ? "it was neither sampled nor called"
		                           : "the firmware has no function of this name, inlined ones apart");
	if (file != NULL && !any_line(annotation, is_of_file))
		return status_fail(error, "--file=%s: no line of such a file was sampled, no function of it was called",
		                   file);
	if (function != NULL && file != NULL)
		return status_fail(error, "--function=%s: no code of it in --file=%s", function, file);
	return STATUS_OK;
}

static enum status collect(struct annotation *annotation, struct error *error)
{
	const struct profile *profile = annotation->report->profile;
	annotation->rows = calloc(profile->line_count + 1, sizeof *annotation->rows);
	if (annotation->rows == NULL)
		return status_fail(error, "out of memory for %zu lines", profile->line_count);
	const struct profile_line *recorder = NULL;
	for (size_t i = 0; i < profile->line_count; i++) {
		const struct profile_line *line = &profile->lines[i];
		if (is_wanted(annotation, line) && is_of_recorder(annotation, line))
			recorder = line;
		else if (is_wanted(annotation, line))
			add_line(annotation, line);
	}
	if (recorder != NULL)
		add_line(annotation, recorder);
	return annotation->row_count == 0 ? tell_why_empty(annotation, error) : STATUS_OK;
}

static const char *inlined_heading(const struct report *report)
{
	return report->profile->time_unit == PROFILE_SECONDS ? "inlined s" : "inlined spl";
}

static struct widths measure(const struct report *report)
{
	return (struct widths){
	        .share = (int)strlen(" 100.00"),
	        .self = report_column_width(report->time_width, report_self_heading(report)),
	        .error = report_column_width(report->time_width, "+/-"),
	        .inlined = report_column_width(report->time_width, inlined_heading(report)),
	        .calls = report_column_width(report->calls_width, "calls"),
	};
}

static void print_headings(const struct annotation *annotation, const char *last)
{
	const struct report *report = annotation->report;
	const struct widths *widths = &annotation->widths;
	text_begin(report->stream, report->colour, TEXT_BOLD);
	fprintf(report->stream, "%*s  %*s  %*s  %*s  %*s  %s", widths->share, "self %", widths->self,
	        report_self_heading(report), widths->error, "+/-", widths->inlined, inlined_heading(report),
	        widths->calls, "calls", last);
	text_end(report->stream, report->colour);
	fputc('\n', report->stream);
}

static void print_time(const struct report *report, int width, double time)
{
	if (time > 0)
		fprintf(report->stream, "  %*.*f", width, report->time_decimals, time);
	else
		fprintf(report->stream, "  %*s", width, "");
}

/* NULL: a line without time and calls. */
static void print_values(const struct annotation *annotation, const struct row *row)
{
	const struct report *report = annotation->report;
	const struct widths *widths = &annotation->widths;
	const struct row none = {.file = NULL};
	row = row == NULL ? &none : row;
	if (row->self_time > 0)
		fprintf(report->stream, "%*.2f", widths->share, report_percent(row->self_time, report->whole_time));
	else
		fprintf(report->stream, "%*s", widths->share, "");
	print_time(report, widths->self, row->self_time);
	print_time(report, widths->error, sqrt(row->self_variance));
	print_time(report, widths->inlined, row->inlined_time);
	if (row->calls > 0)
		fprintf(report->stream, "  %*llu  ", widths->calls, (unsigned long long)row->calls);
	else
		fprintf(report->stream, "  %*s  ", widths->calls, "");
}

static void print_place(const struct report *report, const struct row *row)
{
	if (row->file == NULL) {
		fprintf(report->stream, "%s", row->is_recorder ? "<bareprof>" : "<line not known>");
		return;
	}
	text_print(report->stream, row->file);
	fprintf(report->stream, ":%d", row->line);
}

static void print_row(const struct annotation *annotation, const struct row *row)
{
	print_values(annotation, row);
	print_place(annotation->report, row);
	fputc('\n', annotation->report->stream);
}

static int compare_by_time(const void *left, const void *right)
{
	const struct row *a = *(const struct row *const *)left, *b = *(const struct row *const *)right;
	if (a->self_time < b->self_time || a->self_time > b->self_time)
		return a->self_time > b->self_time ? -1 : 1;
	return (a > b) - (a < b);
}

static enum status print_top(const struct annotation *annotation, struct error *error)
{
	const struct report *report = annotation->report;
	const struct row **order = calloc(annotation->row_count + 1, sizeof *order);
	if (order == NULL)
		return status_fail(error, "out of memory for %zu lines", annotation->row_count);
	for (size_t i = 0; i < annotation->row_count; i++)
		order[i] = &annotation->rows[i];
	qsort(order, annotation->row_count, sizeof *order, compare_by_time);
	fprintf(report->stream, "\nHottest lines\n\n");
	print_headings(annotation, "line");
	for (size_t i = 0; i < annotation->row_count && i < annotation->options->top; i++) {
		if (order[i]->self_time <= 0)
			break;
		print_row(annotation, order[i]);
	}
	free(order);
	return STATUS_OK;
}

/* The length without a character of UTF-8 that is cut at the end: its bytes but the first are 10xxxxxx. */
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
	bool is_cut = length > LINE_LENGTH_MAX;
	text_print_source(report->stream, text, is_cut ? whole_characters(text, LINE_LENGTH_MAX) : length);
	if (is_cut)
		fprintf(report->stream, "... (%zu bytes)", length);
}

static void print_source_line(const struct annotation *annotation, const struct source *source, const struct row *row,
                              int line)
{
	const struct report *report = annotation->report;
	bool is_hot = row != NULL && row->self_time > 0;
	print_values(annotation, row);
	text_begin(report->stream, report->colour, is_hot ? TEXT_BOLD : TEXT_DIM);
	print_source_text(report, source, line);
	text_end(report->stream, report->colour);
	fputc('\n', report->stream);
}

/* The last line that is shown because of the row. */
static int last_around(const struct source *source, const struct row *row)
{
	size_t last = (size_t)row->line + LINES_AROUND;
	return last > source->line_count ? (int)source->line_count : (int)last;
}

static bool is_behind_end(const struct source *source, const struct row *row)
{
	return (size_t)row->line > source->line_count;
}

/* Where lines of the source are left out. */
static void print_gap(const struct annotation *annotation)
{
	print_values(annotation, NULL);
	fprintf(annotation->report->stream, "   ...\n");
}

static void print_with_source(const struct annotation *annotation, const struct part *part, const struct source *source)
{
	int next = 1;
	for (size_t i = 0; i < part->count; i++) {
		const struct row *row = &part->rows[i];
		if (is_behind_end(source, row)) {
			print_row(annotation, row);
			continue;
		}
		int first = row->line - LINES_AROUND > next ? row->line - LINES_AROUND : next;
		if (first > next)
			print_gap(annotation);
		for (; first < row->line; first++)
			print_source_line(annotation, source, NULL, first);
		print_source_line(annotation, source, row, row->line);
		int limit = i + 1 < part->count ? part->rows[i + 1].line - 1 : INT32_MAX;
		int last = last_around(source, row);
		for (next = row->line + 1; next <= last && next <= limit; next++)
			print_source_line(annotation, source, NULL, next);
	}
}

static void print_without_source(const struct annotation *annotation, const struct part *part)
{
	for (size_t i = 0; i < part->count; i++)
		print_row(annotation, &part->rows[i]);
}

static void print_heading_of_part(const struct report *report, const struct part *part)
{
	fputc('\n', report->stream);
	text_begin(report->stream, report->colour, TEXT_BOLD);
	text_print(report->stream, part->rows[0].file);
	text_end(report->stream, report->colour);
	fprintf(report->stream, ": %.2f %%\n", report_percent(part->self_time, report->whole_time));
}

static void warn_of_source(const struct report *report, const char *what)
{
	report_begin_warning(report);
	fprintf(report->stream, "%s", what);
	report_end_warning(report);
}

/* Text that may not be what was compiled. */
static void warn_of_other_source(const struct report *report, const struct part *part, const struct source *source)
{
	if (is_behind_end(source, &part->rows[part->count - 1]))
		warn_of_source(report, "its source has fewer lines than what was compiled: it is another version");
	else if (source_is_newer(source, report->profile->image->path))
		warn_of_source(report, "its source is newer than the firmware: text and times may not belong together");
}

static void print_part(const struct annotation *annotation, const struct part *part)
{
	const struct report *report = annotation->report;
	struct source source;
	struct error error;
	print_heading_of_part(report, part);
	struct output_source_paths paths = annotation->options->paths;
	paths.compilation_folder = image_compilation_folder(report->profile->image);
	bool has_source = source_open(&paths, part->rows[0].file, &source, &error) == STATUS_OK;
	if (has_source)
		warn_of_other_source(report, part, &source);
	else
		warn_of_source(report, "its source is not found: name its folder with --directory, or what it is "
		                       "called here with --source-prefix");
	fputc('\n', report->stream);
	print_headings(annotation, has_source ? "  line  source" : "line");
	if (has_source)
		print_with_source(annotation, part, &source);
	else
		print_without_source(annotation, part);
	source_close(&source);
}

static int compare_parts(const void *left, const void *right)
{
	const struct part *a = left, *b = right;
	if (a->self_time < b->self_time || a->self_time > b->self_time)
		return a->self_time > b->self_time ? -1 : 1;
	return strcmp(a->rows[0].file, b->rows[0].file);
}

static size_t divide_by_file(const struct annotation *annotation, struct part *parts)
{
	size_t count = 0;
	for (size_t i = 0; i < annotation->row_count && annotation->rows[i].file != NULL; i++) {
		const struct row *row = &annotation->rows[i];
		if (count == 0 || strcmp(parts[count - 1].rows[0].file, row->file) != 0)
			parts[count++] = (struct part){.rows = row};
		parts[count - 1].count++;
		parts[count - 1].self_time += row->self_time;
	}
	return count;
}

static enum status print_files(const struct annotation *annotation, struct error *error)
{
	struct part *parts = calloc(annotation->row_count + 1, sizeof *parts);
	if (parts == NULL)
		return status_fail(error, "out of memory for %zu lines", annotation->row_count);
	size_t count = divide_by_file(annotation, parts);
	qsort(parts, count, sizeof *parts, compare_parts);
	for (size_t i = 0; i < count; i++)
		print_part(annotation, &parts[i]);
	free(parts);
	return STATUS_OK;
}

static void warn_of_no_lines(const struct annotation *annotation)
{
	if (annotation->row_count > 0 && annotation->rows[0].file == NULL)
		report_warn_of_no_lines(annotation->report);
}

static enum status print_annotation(struct annotation *annotation, struct error *error)
{
	const struct report *report = annotation->report;
	enum status status = collect(annotation, error);
	if (status != STATUS_OK)
		return status;
	report_print_header(report);
	report_warn_of_sharing(report);
	warn_of_no_lines(annotation);
	status = print_top(annotation, error);
	if (status == STATUS_OK)
		status = print_files(annotation, error);
	if (status == STATUS_OK)
		report_print_losses(report);
	return status;
}

enum status output_annotate(const struct profile *profile, const struct output_annotate_options *options, FILE *stream,
                            struct error *error)
{
	const struct output_report_options of_report = {
	        .colour = options->colour,
	        .lines = true,
	        .context = options->context,
	        .core = options->core,
	};
	struct report report;
	enum status status = report_begin(profile, &of_report, stream, &report, error);
	struct annotation annotation = {.report = &report, .options = options, .widths = measure(&report)};
	if (status == STATUS_OK)
		status = print_annotation(&annotation, error);
	free(annotation.rows);
	report_end(&report);
	return status;
}
