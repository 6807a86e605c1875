/* SPDX-License-Identifier: MIT */
/*
 * A tracefile for lcov and genhtml (geninfo(1), FILES): the calls of functions, and the lines that are known to have
 * run. A function that may have run without being counted is omitted, because a count of 0 states that it did not run.
 * Functions on stacks have run.
 */
#include "base/array.h"
#include "base/text/escape.h"
#include "capture/count.h"
#include "profile/lines.h"
#include "profile/measurement.h"
#include "profile/samples/presence.h"
#include "report/output.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* A function or, without a name, a line. */
struct lcov_record {
	const char *folder; /* the compilation folder, for a relative file; NULL: none */
	const char *file;
	const char *name;
	int line;
	uint64_t calls; /* calls of the function, or of all functions that begin on the line */
	bool has_run;   /* the line was seen to run, though perhaps without a counted call */
};

struct lcov {
	const struct profile *profile;
	FILE *stream;
	struct lcov_record *records;
	size_t count;
	bool are_complete; /* no call was lost, so an instrumented function without counted calls was not entered */
	bool *has_run;     /* by function of the image: it has samples, called others or was on a stack */
};

/* --- Records. */

static bool add_lcov_record(struct lcov *lcov, size_t node, struct lcov_record record)
{
	if (record.file[0] != '/')
		record.folder = image_line_folder(lcov->profile->image, lcov->profile->nodes[node].address);
	return array_append(&lcov->records, &lcov->count, &record, sizeof record);
}

/* The nodes of functions come first, one for each extent. */
static void mark_node(struct lcov *lcov, size_t index)
{
	if (index < lcov->profile->image->function_count)
		lcov->has_run[lcov->profile->image->functions[index].first] = true;
}

static void mark_functions(struct lcov *lcov)
{
	for (size_t i = 0; i < lcov->profile->node_count; i++)
		if (lcov->profile->nodes[i].self_samples > 0)
			mark_node(lcov, i);
	for (size_t i = 0; i < lcov->profile->arc_count; i++)
		if (lcov->profile->arcs[i].count > 0 ||
		    profile_measured_arc(lcov->profile, &lcov->profile->arcs[i])->is_on_stacks)
			mark_node(lcov, lcov->profile->arcs[i].caller);
}

/* True if the function's count of calls is exact, even if it is 0. */
static bool knows_calls(const struct lcov *lcov, size_t index)
{
	const struct profile *profile = lcov->profile;

	if (profile_node_calls(&profile->nodes[index]) > 0)
		return true;
	return lcov->are_complete && !lcov->has_run[index] && code_map_is_instrumented(profile->code, index);
}

/* False for later extents of a function. */
static bool is_first_extent(const struct profile *profile, size_t index)
{
	return index < profile->image->function_count && profile->image->functions[index].first == index &&
	       profile->nodes[index].kind == PROFILE_FUNCTION;
}

static bool add_function_record(struct lcov *lcov, size_t index)
{
	const struct profile_node *node = &lcov->profile->nodes[index];
	struct lcov_record record = {.name = node->name, .calls = profile_node_calls(node)};

	if (!is_first_extent(lcov->profile, index) || !knows_calls(lcov, index) ||
	    !image_line(lcov->profile->image, node->address, &record.file, &record.line) || record.line <= 0)
		return true;
	struct lcov_record line = record;
	line.name = NULL;
	return add_lcov_record(lcov, index, record) && add_lcov_record(lcov, index, line);
}

static bool add_line_record(struct lcov *lcov, const struct profile_line *line)
{
	if (!line->has_run || line->file == NULL || line->line <= 0)
		return true;
	return add_lcov_record(lcov, line->node,
	                       (struct lcov_record){.file = line->file, .line = line->line, .has_run = true});
}

static bool add_lcov_records(struct lcov *lcov)
{
	bool ok = true;

	for (size_t i = 0; ok && i < lcov->profile->node_count; i++)
		ok = add_function_record(lcov, i);
	for (size_t i = 0; ok && i < lcov->profile->line_count; i++)
		ok = add_line_record(lcov, &lcov->profile->lines[i]);
	return ok;
}

/* --- Order: by file; within a file, functions by name, then lines. */

/* NULL first. */
static int compare_optional_texts(const char *left, const char *right)
{
	if (left == NULL || right == NULL)
		return (left != NULL) - (right != NULL);
	return strcmp(left, right);
}

static int compare_record_files(const struct lcov_record *left, const struct lcov_record *right)
{
	int by_folder = compare_optional_texts(left->folder, right->folder);

	return by_folder != 0 ? by_folder : strcmp(left->file, right->file);
}

/* Tracefiles identify functions of a file only by name, so two with the same name are the same. */
static int compare_record_keys(const struct lcov_record *left, const struct lcov_record *right)
{
	int by_file = compare_record_files(left, right);

	if (by_file != 0)
		return by_file;
	if (left->name == NULL || right->name == NULL)
		return left->name == right->name ? (left->line > right->line) - (left->line < right->line)
		                                 : (left->name == NULL) - (right->name == NULL);
	return strcmp(left->name, right->name);
}

static int compare_records(const void *left, const void *right)
{
	const struct lcov_record *a = left, *b = right;
	int by_key = compare_record_keys(a, b);

	return by_key != 0 ? by_key : (a->line > b->line) - (a->line < b->line);
}

static void merge_lcov_records(struct lcov *lcov)
{
	size_t kept = 0;

	if (lcov->count == 0)
		return;
	qsort(lcov->records, lcov->count, sizeof *lcov->records, compare_records);
	for (size_t i = 1; i < lcov->count; i++) {
		struct lcov_record *last = &lcov->records[kept];

		if (compare_record_keys(last, &lcov->records[i]) != 0) {
			lcov->records[++kept] = lcov->records[i];
		} else {
			count_add(&last->calls, lcov->records[i].calls);
			last->has_run |= lcov->records[i].has_run;
		}
	}
	lcov->count = kept + 1;
}

/* --- Output. */

/* Tracefiles have no escapes: a comma ends a name, and a line feed, like all unprintable bytes, is written as \x0a. */
static const struct escape name_escapes[] = {{',', "\\x2c"}, {'\0', NULL}};
static const struct escape file_escapes[] = {{'\0', NULL}};

/* The number of hits that a record proves. */
static uint64_t hits_of(const struct lcov_record *record)
{
	return record->calls > 0 ? record->calls : record->has_run;
}

static void print_record_file(const struct lcov *lcov, const struct lcov_record *record)
{
	fputs("TN:\nSF:", lcov->stream);
	if (record->folder != NULL) {
		escape_print(lcov->stream, record->folder, file_escapes, "\\x");
		fputc('/', lcov->stream);
	}
	escape_print(lcov->stream, record->file, file_escapes, "\\x");
	fputc('\n', lcov->stream);
}

static void print_lcov_function(const struct lcov *lcov, const char *key, uint64_t number, const char *name)
{
	fprintf(lcov->stream, "%s:%" PRIu64 ",", key, number);
	escape_print(lcov->stream, name, name_escapes, "\\x");
	fputc('\n', lcov->stream);
}

/* Prints how many records there are, and how many of them were hit. */
static void print_sums(const struct lcov *lcov, const char *key, const struct lcov_record *records, size_t count)
{
	size_t hit = 0;

	for (size_t i = 0; i < count; i++)
		hit += hits_of(&records[i]) > 0;
	fprintf(lcov->stream, "%sF:%zu\n%sH:%zu\n", key, count, key, hit);
}

static void print_lcov_functions(const struct lcov *lcov, const struct lcov_record *records, size_t count)
{
	for (size_t i = 0; i < count; i++)
		print_lcov_function(lcov, "FN", (uint64_t)records[i].line, records[i].name);
	for (size_t i = 0; i < count; i++)
		print_lcov_function(lcov, "FNDA", hits_of(&records[i]), records[i].name);
	print_sums(lcov, "FN", records, count);
}

static void print_lcov_lines(const struct lcov *lcov, const struct lcov_record *records, size_t count)
{
	for (size_t i = 0; i < count; i++)
		fprintf(lcov->stream, "DA:%d,%" PRIu64 "\n", records[i].line, hits_of(&records[i]));
	print_sums(lcov, "L", records, count);
}

static void print_lcov_records(const struct lcov *lcov)
{
	for (size_t first = 0, lines, end; first < lcov->count; first = end) {
		const struct lcov_record *records = lcov->records;

		for (lines = first; lines < lcov->count && records[lines].name != NULL &&
		                    compare_record_files(&records[first], &records[lines]) == 0;)
			lines++;
		for (end = lines; end < lcov->count && compare_record_files(&records[first], &records[end]) == 0;)
			end++;
		print_record_file(lcov, &records[first]);
		print_lcov_functions(lcov, &records[first], lines - first);
		print_lcov_lines(lcov, &records[lines], end - lines);
		fputs("end_of_record\n", lcov->stream);
	}
}

static enum status write_lcov(const struct profile *profile, FILE *stream, struct error *error)
{
	if (!image_has_lines(profile->image))
		return status_fail(error, "%s: no source lines for a tracefile: compile the firmware with -g",
		                   profile->image->path);
	struct lcov lcov = {
	        .profile = profile,
	        .stream = stream,
	        .are_complete = presence_is_complete(profile),
	        .has_run = calloc(profile->image->function_count + 1, sizeof(bool)),
	};
	enum status status = STATUS_OK;

	if (lcov.has_run != NULL)
		mark_functions(&lcov);
	if (lcov.has_run != NULL && add_lcov_records(&lcov)) {
		merge_lcov_records(&lcov);
		print_lcov_records(&lcov);
	} else {
		status = status_no_memory(error, profile->image->path);
	}
	free(lcov.records);
	free(lcov.has_run);
	return status;
}

const struct output_format output_lcov = {
        .name = "lcov",
        .summary = "a tracefile for genhtml: calls of functions, and lines known to have run",
        .lines = true,
        .write = write_lcov,
};
