/* SPDX-License-Identifier: MIT */
/*
 * The annotated source: the hottest lines, then the lines with time or calls of each file, with the source around them.
 * Ranges of lines with little time are left out by default.
 */
#include "report/annotation.h"

#include "capture/count.h"
#include "profile/lines.h"
#include "report/views.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Lines that are printed together are hot if they have this part of the time of all chosen lines. Sums are rounded. */
#define HOT_PART (0.01 * (1 - 1e-9))

static bool ends_with_path(const char *file, const char *wanted)
{
	size_t length = strlen(file), wanted_length = strlen(wanted);

	if (wanted_length == 0 || wanted_length > length || strcmp(file + length - wanted_length, wanted) != 0)
		return false;
	return length == wanted_length || wanted[0] == '/' || file[length - wanted_length - 1] == '/';
}

/* Whether the line is in the function or was inlined into it. */
static bool is_of_function(const struct annotation *annotation, const struct profile_line *line)
{
	const char *function = annotation->options->function;
	const struct profile_node *node = &annotation->report->profile->nodes[line->node];

	return function == NULL || demangler_matches(annotation->demangler, line->function, function) ||
	       demangler_matches(annotation->demangler, node->name, function);
}

static bool is_of_file(const struct annotation *annotation, const struct profile_line *line)
{
	const char *file = annotation->options->file;

	return file == NULL || (line->file != NULL && ends_with_path(line->file, file));
}

static bool is_line_wanted(const struct annotation *annotation, const struct profile_line *line)
{
	return is_of_function(annotation, line) && is_of_file(annotation, line);
}

static bool is_recorder_line(const struct annotation *annotation, const struct profile_line *line)
{
	return annotation->report->profile->nodes[line->node].kind == PROFILE_BAREPROF;
}

static bool is_row_of_line(const struct annotation_row *row, const struct profile_line *line)
{
	if (row->file == NULL || line->file == NULL)
		return row->file == line->file;
	return row->line == line->line && strcmp(row->file, line->file) == 0;
}

static void add_annotated_line(struct annotation *annotation, const struct profile_line *line)
{
	struct annotation_row *last = annotation->row_count == 0 ? NULL : &annotation->rows[annotation->row_count - 1];

	if (last == NULL || is_recorder_line(annotation, line) || !is_row_of_line(last, line)) {
		last = &annotation->rows[annotation->row_count++];
		*last = (struct annotation_row){.file = line->file, .line = line->line};
		last->is_recorder = is_recorder_line(annotation, line);
	}
	last->self_time += line->self_time;
	last->self_variance += line->self_variance;
	last->inlined_time += line->inlined_time;
	count_add(&last->calls, line->calls);
}

/* --- Total times. */

static bool is_total_wanted(const struct annotation *annotation, const struct profile_line_total *total)
{
	const char *function = annotation->options->function, *file = annotation->options->file;
	const struct profile_node *node = &annotation->report->profile->nodes[total->node];

	return (function == NULL || demangler_matches(annotation->demangler, node->name, function)) &&
	       (file == NULL || ends_with_path(total->file, file));
}

/* By file, then by line; rows without a file last. */
static int compare_annotated_rows(const void *left, const void *right)
{
	const struct annotation_row *a = left, *b = right;

	if (a->file == NULL || b->file == NULL)
		return a->file == b->file ? a->is_recorder - b->is_recorder : (a->file == NULL) - (b->file == NULL);
	int by_file = strcmp(a->file, b->file);

	return by_file != 0 ? by_file : (a->line > b->line) - (a->line < b->line);
}

/* Adds the total times to the rows, and rows for lines that only called others. */
static void add_totals(struct annotation *annotation)
{
	const struct profile *profile = annotation->report->profile;
	size_t count = annotation->row_count;

	for (size_t i = 0; i < profile->line_total_count; i++) {
		const struct profile_line_total *total = &profile->line_totals[i];
		const struct annotation_row row = {.file = total->file,
		                                   .line = total->line,
		                                   .total_time = total->time,
		                                   .total_variance = total->variance,
		                                   .is_lower_bound = total->is_lower_bound};
		struct annotation_row *found =
		        count == 0 ? NULL : bsearch(&row, annotation->rows, count, sizeof row, compare_annotated_rows);

		if (found != NULL) {
			found->total_time = row.total_time;
			found->total_variance = row.total_variance;
			found->is_lower_bound = row.is_lower_bound;
		} else if (total->time > 0 && is_total_wanted(annotation, total)) {
			annotation->rows[annotation->row_count++] = row;
		}
	}
	if (annotation->row_count > count)
		qsort(annotation->rows, annotation->row_count, sizeof *annotation->rows, compare_annotated_rows);
}

/* --- Failures. */

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
		if (demangler_matches(annotation->demangler, profile->nodes[i].name, function))
			return true;
	return false;
}

/* Explains an empty result, which is an error only if options selected it. */
static enum status fail_if_empty(const struct annotation *annotation, struct error *error)
{
	const char *function = annotation->options->function, *file = annotation->options->file;

	if (function != NULL && !any_line(annotation, is_of_function))
		return status_fail(error, "function %s: %s", function,
		                   is_in_firmware(annotation, function) ? "it was neither sampled nor called"
		                                                        : "the firmware has no symbol of this name");
	if (file != NULL && !any_line(annotation, is_of_file))
		return status_fail(error, "file %s: no code of this file was sampled or called", file);
	if (function != NULL && file != NULL)
		return status_fail(error, "function %s: has no code in file %s", function, file);
	return STATUS_OK;
}

static enum status collect_annotated_rows(struct annotation *annotation, struct error *error)
{
	const struct profile *profile = annotation->report->profile;

	annotation->rows = calloc(profile->line_count + profile->line_total_count + 1, sizeof *annotation->rows);
	if (annotation->rows == NULL)
		return status_fail(error, "out of memory for %zu lines", profile->line_count);
	const struct profile_line *recorder = NULL;
	for (size_t i = 0; i < profile->line_count; i++) {
		const struct profile_line *line = &profile->lines[i];

		if (is_line_wanted(annotation, line) && is_recorder_line(annotation, line))
			recorder = line;
		else if (is_line_wanted(annotation, line))
			add_annotated_line(annotation, line);
	}
	if (recorder != NULL)
		add_annotated_line(annotation, recorder);
	add_totals(annotation);
	return annotation->row_count == 0 ? fail_if_empty(annotation, error) : STATUS_OK;
}

static int compare_self_times(const void *left, const void *right)
{
	const struct annotation_row *a = *(const struct annotation_row *const *)left;
	const struct annotation_row *b = *(const struct annotation_row *const *)right;

	if (a->self_time < b->self_time || a->self_time > b->self_time)
		return a->self_time > b->self_time ? -1 : 1;
	return (a > b) - (a < b);
}

static enum status print_hottest_lines(const struct annotation *annotation, struct error *error)
{
	const struct report *report = annotation->report;
	const struct annotation_row **order = calloc(annotation->row_count + 1, sizeof *order);

	if (order == NULL)
		return status_fail(error, "out of memory for %zu lines", annotation->row_count);
	for (size_t i = 0; i < annotation->row_count; i++)
		order[i] = &annotation->rows[i];
	qsort(order, annotation->row_count, sizeof *order, compare_self_times);
	fprintf(report->stream, "\nHottest lines\n\n");
	annotation_print_headings(annotation, "line");
	for (size_t i = 0; i < annotation->row_count && i < report->options->top; i++) {
		if (order[i]->self_time <= 0)
			break;
		annotation_print_row(annotation, order[i]);
	}
	free(order);
	return STATUS_OK;
}

/* --- Ranges: lines that are printed without a gap between them. */

static size_t find_end_of_range(const struct annotation *annotation, size_t first)
{
	const struct annotation_row *rows = annotation->rows;
	size_t end = first + 1;

	while (end < annotation->row_count && rows[end].file != NULL && strcmp(rows[end].file, rows[first].file) == 0 &&
	       rows[end].line - rows[end - 1].line <= 2 * ANNOTATION_LINES_AROUND + 1)
		end++;
	return end;
}

/* Total times and times of inlined functions contain other times again, so they are not summed. */
static bool is_hot(const struct annotation_row *rows, size_t count, double limit)
{
	double self_time = 0, other_time = 0;

	for (size_t i = 0; i < count; i++) {
		self_time += rows[i].self_time;
		other_time = fmax(other_time, fmax(rows[i].total_time, rows[i].inlined_time));
	}
	return fmax(self_time, other_time) >= limit;
}

static struct report_hidden fold_cold_ranges(struct annotation *annotation)
{
	struct report_hidden hidden = {.count = 0};
	double whole = 0;
	size_t end;

	for (size_t i = 0; i < annotation->row_count; i++)
		whole += annotation->rows[i].self_time;
	for (size_t i = 0; i < annotation->row_count && annotation->rows[i].file != NULL; i = end) {
		end = find_end_of_range(annotation, i);
		if (is_hot(&annotation->rows[i], end - i, whole * HOT_PART))
			continue;
		for (; i < end; i++) {
			annotation->rows[i].is_folded = true;
			report_hide(&hidden, annotation->rows[i].self_time);
		}
	}
	return hidden;
}

static void print_hidden_lines(const struct annotation *annotation, const struct report_hidden *hidden)
{
	size_t count = 0;

	while (count < annotation->row_count && annotation->rows[count].file != NULL)
		count++;
	report_print_hidden(annotation->report, hidden, count, "lines",
	                    annotation->report->options->hints[HINT_COLD_LINES]);
}

/* --- Files. */

static int compare_file_times(const void *left, const void *right)
{
	const struct annotation_file *a = left, *b = right;

	if (a->self_time < b->self_time || a->self_time > b->self_time)
		return a->self_time > b->self_time ? -1 : 1;
	return strcmp(a->rows[0].file, b->rows[0].file);
}

static size_t divide_by_file(const struct annotation *annotation, struct annotation_file *files)
{
	size_t count = 0;

	for (size_t i = 0; i < annotation->row_count && annotation->rows[i].file != NULL; i++) {
		const struct annotation_row *row = &annotation->rows[i];

		if (count == 0 || strcmp(files[count - 1].rows[0].file, row->file) != 0)
			files[count++] = (struct annotation_file){.rows = row};
		files[count - 1].count++;
		files[count - 1].shown += !row->is_folded;
		files[count - 1].self_time += row->self_time;
	}
	return count;
}

static enum status print_annotated_files(struct annotation *annotation, struct error *error)
{
	struct annotation_file *files = calloc(annotation->row_count + 1, sizeof *files);

	if (files == NULL)
		return status_fail(error, "out of memory for %zu lines", annotation->row_count);
	size_t count = divide_by_file(annotation, files);
	qsort(files, count, sizeof *files, compare_file_times);
	for (size_t i = 0; i < count; i++)
		if (files[i].shown > 0)
			annotation_print_file(annotation, &files[i]);
	free(files);
	return STATUS_OK;
}

static enum status print_annotation(struct annotation *annotation, struct error *error)
{
	const struct report *report = annotation->report;
	enum status status = collect_annotated_rows(annotation, error);

	if (status != STATUS_OK)
		return status;
	report_print_header(report);
	report_warn_of_fixed_distances(report);
	report_warn_of_sharing(report);
	if (annotation->row_count > 0 && annotation->rows[0].file == NULL)
		report_warn_of_no_lines(report);
	report_warn_of_stacks(report);
	struct report_hidden hidden = {.count = 0};
	if (!annotation->options->all)
		hidden = fold_cold_ranges(annotation);
	status = print_hottest_lines(annotation, error);
	if (status == STATUS_OK)
		status = print_annotated_files(annotation, error);
	if (status == STATUS_OK)
		print_hidden_lines(annotation, &hidden);
	if (status == STATUS_OK && annotation->options->disassemble)
		status = annotation_print_instructions(annotation, error);
	if (status == STATUS_OK)
		report_print_losses(report);
	return status;
}

enum status output_annotate(const struct profile *profile, const struct output_annotate_options *options, FILE *stream,
                            struct error *error)
{
	struct report report;
	enum status status = report_begin(profile, &options->report, stream, &report, error);
	struct annotation annotation = {
	        .report = &report,
	        .options = options,
	        .sources.paths = options->report.paths,
	        .demangler = views_names_create(profile, error),
	};

	annotation.sources.paths.compilation_folder = image_compilation_folder(profile->image);
	annotation.column_count = annotation_choose_columns(&report, annotation.columns);
	if (annotation.demangler == NULL)
		status = STATUS_FAILED;
	if (status == STATUS_OK)
		status = print_annotation(&annotation, error);
	demangler_free(annotation.demangler);
	sources_free(&annotation.sources);
	free(annotation.rows);
	report_end(&report);
	return status;
}
