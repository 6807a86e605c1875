/* SPDX-License-Identifier: MIT */
/* Annotated source: execution counts of lines from calls and basic blocks, and the most executed lines of each file. */
#include "report/source.h"
#include "base/file/file.h"
#include "base/file/inputs.h"
#include "base/text/text.h"
#include "capture/count.h"
#include "report/gprof/spots.h"

#include <inttypes.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>

/* Columns before each line of source. */
#define MARGIN 16

struct source_annotation {
	struct gprof_report *report;
	FILE *stream;        /* stream of the current file */
	uint64_t last_count; /* count of the code before the current line, in any file */
	bool is_first;       /* no file was printed yet */
	void *written;       /* names of files written so far, a tree as of tsearch(3) */
	/* Lines of the current file with code, and the number of them that were executed. */
	size_t executable, executed;
};

/* The counts of one line as printed: separated by commas, as many as fit. */
struct label {
	char text[MARGIN + 24];
	size_t length;
	bool has_count, is_full;
	uint64_t last, sum;
};

static void append_label_count(struct label *label, uint64_t count)
{
	if (!label->is_full) {
		size_t room = sizeof label->text - label->length;
		int length =
		        snprintf(label->text + label->length, room, "%s%" PRIu64, label->has_count ? "," : "", count);

		label->length += (size_t)length;
		label->is_full = label->length >= MARGIN;
	}
	label->has_count = true;
	label->last = count;
}

/* Labels a function with its calls, and other lines with their basic blocks. With all_lines, a line has the count of
 * the code before it until a block begins. */
static void count_line(struct source_annotation *annotation, const struct gprof_spot *spot, struct label *label)
{
	bool all_lines = annotation->report->options->all_lines;
	bool goes_on = spot->block_count > 0 && spot->blocks[0].address > spot->address;

	if (spot->is_function)
		annotation->last_count = spot->calls;
	if (spot->is_function || (all_lines && goes_on)) {
		append_label_count(label, annotation->last_count);
		label->sum = annotation->last_count;
	}
	for (size_t i = 0; i < spot->block_count; i++) {
		uint64_t count = annotation->last_count = spot->blocks[i].count;

		count_add(&label->sum, count);
		if (!all_lines || !label->has_count || count != label->last)
			append_label_count(label, count);
	}
	if (all_lines && !label->has_count) {
		append_label_count(label, annotation->last_count);
		label->sum = annotation->last_count;
	}
}

static void print_margin(struct source_annotation *annotation, const struct gprof_spot *spot)
{
	struct label label = {.length = 0};
	char text[sizeof label.text + 8] = "";

	if (spot != NULL) {
		annotation->executable++;
		count_line(annotation, spot, &label);
		annotation->executed += label.sum > 0;
	}
	if (label.has_count)
		snprintf(text, sizeof text, "%s -> ",
		         label.sum < annotation->report->options->min_count ? "#####" : label.text);
	fprintf(annotation->stream, "%*.*s", MARGIN, MARGIN, text);
}

/* Prints the source unchanged, because it is the user's own. */
static void print_counted_lines(struct source_annotation *annotation, const struct gprof_file *file,
                                const struct source_file *source)
{
	size_t next = 0;

	for (size_t i = 0; i < source->line_count; i++) {
		while (next < file->spot_count && (size_t)file->spots[next].line < i + 1)
			next++;
		bool is_spot = next < file->spot_count && (size_t)file->spots[next].line == i + 1;
		print_margin(annotation, is_spot ? &file->spots[next] : NULL);
		fwrite(source->bytes + source->line_start[i], 1, source->line_start[i + 1] - source->line_start[i],
		       annotation->stream);
	}
}

static int compare_spots(const void *left, const void *right)
{
	const struct gprof_spot *a = left, *b = right;

	if (a->calls != b->calls)
		return a->calls > b->calls ? -1 : 1;
	return (a->line > b->line) - (a->line < b->line);
}

/* Leaves the spots of the file sorted by calls. */
static void print_top_lines(struct source_annotation *annotation, struct gprof_file *file)
{
	unsigned max = annotation->report->options->table_length;

	if (max == 0)
		return;
	fprintf(annotation->stream, "\n\nTop %u Lines:\n\n     Line      Count\n\n", max);
	qsort(file->spots, file->spot_count, sizeof *file->spots, compare_spots);
	for (size_t i = 0; i < file->spot_count && i < max && file->spots[i].calls > 0; i++)
		fprintf(annotation->stream, "%9d %10" PRIu64 "\n", file->spots[i].line, file->spots[i].calls);
}

static void print_execution_summary(struct source_annotation *annotation, const struct gprof_file *file)
{
	FILE *stream = annotation->stream;
	double lines = (double)annotation->executable;
	double share = lines > 0 ? 100 * (double)annotation->executed / lines : 100;

	fprintf(stream, "\nExecution Summary:\n\n");
	fprintf(stream, "%9zu   Executable lines in this file\n", annotation->executable);
	fprintf(stream, "%9zu   Lines executed\n", annotation->executed);
	fprintf(stream, "%9.2f   Percent of the file executed\n", share);
	fprintf(stream, "\n%9" PRIu64 "   Total number of line executions\n", file->calls);
	fprintf(stream, "%9.2f   Average executions per line\n", lines > 0 ? (double)file->calls / lines : 0);
}

static void print_counted_file(struct source_annotation *annotation, struct gprof_file *file,
                               const struct source_file *source)
{
	annotation->executable = annotation->executed = 0;
	print_counted_lines(annotation, file, source);
	print_top_lines(annotation, file);
	print_execution_summary(annotation, file);
}

static void print_to_report(struct source_annotation *annotation, struct gprof_file *file, const char *name,
                            const struct source_file *source)
{
	struct layout *layout = &annotation->report->layout;

	if (!annotation->is_first)
		layout_text(layout, "\n");
	annotation->is_first = false;
	gprof_begin_part(annotation->report);
	layout_text(layout, "*** File ");
	gprof_print_safe(annotation->report, name);
	layout_text(layout, ":\n");
	layout_flush(layout);
	annotation->stream = layout->stream;
	print_counted_file(annotation, file, source);
}

static int compare_written_names(const void *left, const void *right)
{
	return strcmp(left, right);
}

/* Takes ownership of path. */
static enum status note_replaced_output(struct source_annotation *annotation, char *path,
                                        const struct source_file *source, struct error *error)
{
	FILE *notes = annotation->report->options->notes;
	char **known = tsearch(path, &annotation->written, compare_written_names);

	if (known != NULL && *known == path)
		return STATUS_OK;
	if (known != NULL) {
		fprintf(notes, "note: ");
		text_print(notes, path);
		fprintf(notes, ": now of ");
		text_print(notes, source->path);
		fprintf(notes, ", in the place of another source of this name\n");
	}
	free(path);
	return known != NULL ? STATUS_OK : status_fail(error, "out of memory for names of files");
}

static enum status write_file(struct source_annotation *annotation, struct gprof_file *file, const char *path,
                              const struct source_file *source, struct error *error)
{
	struct file_writer writer = {0};
	enum status status = file_create(&writer, path, error);

	if (status != STATUS_OK)
		return status;
	annotation->stream = writer.stream;
	print_counted_file(annotation, file, source);
	return file_commit(&writer, error);
}

/* The output goes to the working directory, not next to the source. NULL: out of memory. */
static char *output_path(const struct gprof_file *file, struct error *error)
{
	const char *slash = strrchr(file->name, '/');
	char *path = NULL;

	if (asprintf(&path, "%s-ann", slash != NULL ? slash + 1 : file->name) >= 0)
		return path;
	status_no_memory(error, file->name);
	return NULL;
}

static enum status print_to_file(struct source_annotation *annotation, struct gprof_file *file,
                                 const struct source_file *source, struct error *error)
{
	char *path = output_path(file, error);

	if (path == NULL)
		return STATUS_FAILED;
	enum status status = write_file(annotation, file, path, source, error);
	if (status == STATUS_OK)
		return note_replaced_output(annotation, path, source, error);
	free(path);
	return status;
}

static void note_missing(const struct source_annotation *annotation, const char *name)
{
	FILE *notes = annotation->report->options->notes;

	fprintf(notes, "note: ");
	text_print(notes, name);
	fprintf(notes, ": no such source file; -I names folders to look for it\n");
}

/* Opens the source of a file. *name, which the caller frees, is the name that was searched for. If no source was found,
 * source->path is NULL. */
static enum status open_source(const struct gprof_file *file, const struct output_source_paths *paths, char **name,
                               struct source_file *source, struct error *error)
{
	struct error why;

	*source = (struct source_file){.path = NULL};
	*name = NULL;
	if (asprintf(name, "%s%s%s", file->folder, file->folder[0] != '\0' ? "/" : "", file->name) < 0)
		return status_no_memory(error, file->name);
	if (source_open(paths, *name, source, &why) == STATUS_OK)
		return STATUS_OK;
	source_close(source);
	*source = (struct source_file){.path = NULL};
	return STATUS_OK;
}

static enum status annotate_file(struct source_annotation *annotation, struct gprof_file *file,
                                 const struct output_source_paths *paths, struct error *error)
{
	struct source_file source;
	char *name;
	enum status status = open_source(file, paths, &name, &source, error);

	if (status != STATUS_OK)
		return status;
	if (source.path == NULL)
		note_missing(annotation, name);
	else if (annotation->report->options->separate_files)
		status = print_to_file(annotation, file, &source, error);
	else
		print_to_report(annotation, file, name, &source);
	source_close(&source);
	free(name);
	return status;
}

static enum status list_source(struct file_inputs *inputs, const struct gprof_file *file,
                               const struct output_source_paths *paths, bool *is_found, struct error *error)
{
	struct source_file source;
	char *name;
	enum status status = open_source(file, paths, &name, &source, error);

	if (status != STATUS_OK)
		return status;
	*is_found = source.path != NULL;
	if (*is_found)
		status = file_inputs_add_regular(inputs, source.path, error);
	source_close(&source);
	free(name);
	return status;
}

static enum status check_annotated_output(const struct file_inputs *inputs, const struct gprof_file *file,
                                          struct error *error)
{
	char *path = output_path(file, error);

	if (path == NULL)
		return STATUS_FAILED;
	enum status status = file_check_implicit_output(path, inputs, error);
	free(path);
	return status;
}

/* Checked before the first file is written. Names come from the ELF, and other users may have write access to the
 * folder, so a link must not lead to a file that will still be read. */
static enum status check_outputs(const struct gprof_report *report, const struct gprof_files *files,
                                 const struct output_source_paths *paths, struct error *error)
{
	struct file_inputs *inputs = report->options->inputs;
	bool *is_found = calloc(files->count + 1, sizeof *is_found);
	enum status status = is_found != NULL ? STATUS_OK : status_fail(error, "out of memory for names of files");

	for (size_t i = 0; status == STATUS_OK && i < files->count; i++)
		status = list_source(inputs, &files->items[i], paths, &is_found[i], error);
	for (size_t i = 0; status == STATUS_OK && i < files->count; i++)
		if (is_found[i])
			status = check_annotated_output(inputs, &files->items[i], error);
	free(is_found);
	return status;
}

/* A list of folders, split at colons. */
struct folders {
	char *text;
	const char **items;
	size_t count;
};

static bool split_folders(const char *text, struct folders *folders)
{
	size_t max = 1;

	for (const char *at = text; *at != '\0'; at++)
		max += *at == ':';
	*folders = (struct folders){.text = strdup(text), .items = calloc(max, sizeof *folders->items)};
	char *rest = folders->text, *item;
	while (folders->text != NULL && folders->items != NULL && (item = strsep(&rest, ":")) != NULL)
		if (item[0] != '\0')
			folders->items[folders->count++] = item;
	return folders->text != NULL && folders->items != NULL;
}

static enum status annotate_all(struct gprof_report *report, struct gprof_files *files, struct error *error)
{
	const char *text = report->options->source_folders != NULL ? report->options->source_folders : "";
	struct source_annotation annotation = {.report = report, .is_first = true};
	struct folders folders;
	enum status status =
	        split_folders(text, &folders) ? STATUS_OK : status_fail(error, "out of memory for folders");
	const struct output_source_paths paths = {.folders = folders.items, .folder_count = folders.count};

	if (status == STATUS_OK && report->options->separate_files)
		status = check_outputs(report, files, &paths, error);
	for (size_t i = 0; status == STATUS_OK && i < files->count; i++)
		status = annotate_file(&annotation, &files->items[i], &paths, error);
	tdestroy(annotation.written, free);
	free(folders.text);
	free(folders.items);
	return status;
}

enum status gprof_print_source(struct gprof_report *report, struct error *error)
{
	struct gprof_files files;
	enum status status = gprof_collect_files(report, &files, error);

	if (status == STATUS_OK)
		status = annotate_all(report, &files, error);
	gprof_free_files(&files);
	return status;
}
