/* SPDX-License-Identifier: MIT */
/* See notes.h. */
#include "diff/formats/notes.h"

#include "base/text/text.h"
#include "diff/formats/format.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define INLINED_INTO_MAX  2  /* named in a note; others are only counted */
#define NAME_IN_TITLE_MAX 60 /* bytes */

struct row_note {
	const char *name;
	char *text;
	bool has_same_name; /* another row has the same name */
};

/* A note while it is written. */
struct remark {
	const struct notes *notes;
	const struct compare_row *row;
	const struct pairing_pair *pair;
	FILE *stream;
	bool has_begun;
};

static const char *show_name(const struct notes *notes, const char *name)
{
	const char *demangled = demangler_find(notes->names, name);

	return demangled == NULL ? name : demangled;
}

static const char *name_of_row(const struct notes *notes, const struct compare_row *row)
{
	enum build build = row->names[BUILD_NEW] != NULL ? BUILD_NEW : BUILD_OLD;
	const char *name = row->names[build] == NULL ? "" : row->names[build];

	return row->kind == PROFILE_FUNCTION ? show_name(notes, name) : name;
}

static void begin_phrase(struct remark *remark)
{
	fputs(remark->has_begun ? ", " : "", remark->stream);
	remark->has_begun = true;
}

static bool is_in(const struct pairing_pair *pair, enum build build)
{
	return pair->is_inlined[build] || pair->names[build] != NULL;
}

static void say_presence(struct remark *remark)
{
	if (is_in(remark->pair, BUILD_OLD) == is_in(remark->pair, BUILD_NEW))
		return;
	begin_phrase(remark);
	fputs(is_in(remark->pair, BUILD_NEW) ? "new" : "gone", remark->stream);
}

static const char *list_separator(size_t index, size_t count)
{
	return index == 0 ? " " : index + 1 == count ? " and " : ", ";
}

static void say_inlined_into(struct remark *remark, enum build build)
{
	const struct comparison *comparison = remark->notes->comparison;
	const char *functions[INLINED_INTO_MAX];
	size_t count = pairing_inlined_into(&comparison->pairing, comparison->builds[build].image, remark->row->pair,
	                                    build, functions, INLINED_INTO_MAX);
	size_t named = count < INLINED_INTO_MAX ? count : INLINED_INTO_MAX;
	size_t parts = named + (count > named);

	for (size_t i = 0; i < named; i++)
		fprintf(remark->stream, "%s%s", list_separator(i, parts), show_name(remark->notes, functions[i]));
	if (count > named)
		fprintf(remark->stream, "%s%zu more", list_separator(named, parts), count - named);
}

static void say_inlining(struct remark *remark)
{
	const enum compare_inlining *inlining = remark->row->inlining;

	if (inlining[BUILD_OLD] == inlining[BUILD_NEW])
		return;
	enum build build = inlining[BUILD_NEW] > inlining[BUILD_OLD] ? BUILD_NEW : BUILD_OLD;
	begin_phrase(remark);
	fprintf(remark->stream, "%s %sinlined into", build == BUILD_NEW ? "now" : "was",
	        inlining[build] == COMPARE_PARTLY_INLINED ? "partly " : "");
	say_inlined_into(remark, build);
}

/* For inlined functions, names in DWARF can differ from those in the ELF. */
static bool is_renamed(const struct compare_row *row, const struct pairing_pair *pair)
{
	return !pair->is_inlined[BUILD_OLD] && !pair->is_inlined[BUILD_NEW] && row->names[BUILD_OLD] != NULL &&
	       row->names[BUILD_NEW] != NULL && strcmp(row->names[BUILD_OLD], row->names[BUILD_NEW]) != 0;
}

/* Says how a pair was found, unless it was by name. */
static void say_how(struct remark *remark)
{
	const struct pairing_pair *pair = remark->pair;
	const char *how = pairing_how_text(pair->how);
	bool is_moved = pair->how == PAIRED_BY_MOVED_NAME && pair->files[BUILD_NEW] != NULL;

	if (is_renamed(remark->row, pair)) {
		begin_phrase(remark);
		fprintf(remark->stream, "was %s", show_name(remark->notes, remark->row->names[BUILD_OLD]));
		fprintf(remark->stream, "%s%s", how == NULL ? "" : " ", how == NULL ? "" : how);
	} else if (is_moved || how != NULL) {
		begin_phrase(remark);
		fprintf(remark->stream, "%s%s", is_moved ? "moved to " : "", is_moved ? pair->files[BUILD_NEW] : how);
	}
}

static void say_clones(struct remark *remark)
{
	const size_t *functions = remark->pair->functions;

	if (functions[BUILD_OLD] == functions[BUILD_NEW] || functions[BUILD_OLD] == 0 || functions[BUILD_NEW] == 0)
		return;
	if (remark->pair->is_inlined[BUILD_OLD] || remark->pair->is_inlined[BUILD_NEW])
		return;
	begin_phrase(remark);
	fprintf(remark->stream, "clones %zu -> %zu", functions[BUILD_OLD], functions[BUILD_NEW]);
}

/* Distinguishes functions of the same name by their files. */
static void say_file(struct remark *remark)
{
	const struct pairing_pair *pair = remark->pair;
	const char *file = pair->files[is_in(pair, BUILD_NEW) ? BUILD_NEW : BUILD_OLD];
	size_t row = (size_t)(remark->row - remark->notes->comparison->rows);

	if (file == NULL || pair->how == PAIRED_BY_MOVED_NAME || !remark->notes->rows[row].has_same_name)
		return;
	begin_phrase(remark);
	fprintf(remark->stream, "in %s", file);
}

/* Says that the total time excludes the time of other functions in the cycle. */
static void say_cycle(struct remark *remark)
{
	bool was = remark->row->cycles[BUILD_OLD] != 0, is = remark->row->cycles[BUILD_NEW] != 0;

	if (!was && !is)
		return;
	begin_phrase(remark);
	fprintf(remark->stream, "%sin a cycle", was && is ? "" : was ? "was " : "now ");
}

static void say_all(struct remark *remark)
{
	if (remark->pair != NULL) {
		say_presence(remark);
		say_inlining(remark);
		say_how(remark);
		say_clones(remark);
		say_file(remark);
	}
	say_cycle(remark);
}

/* One stream for all rows: opening one for each is slow, and most rows have no notes. */
struct note_stream {
	FILE *stream;
	char *buffer;
	size_t length;
};

static bool write_note(const struct notes *notes, size_t row, struct note_stream *out)
{
	const struct comparison *comparison = notes->comparison;
	struct remark remark = {.notes = notes, .row = &comparison->rows[row], .stream = out->stream};

	if (remark.row->pair != PAIRING_NONE)
		remark.pair = &comparison->pairing.pairs[remark.row->pair];
	rewind(out->stream);
	say_all(&remark);
	if (fflush(out->stream) != 0 || ferror(out->stream))
		return false;
	notes->rows[row].text = strndup(remark.has_begun ? out->buffer : "", out->length);
	return notes->rows[row].text != NULL;
}

static int compare_note_names(const void *left, const void *right)
{
	const struct row_note *const *a = left, *const *b = right;

	return strcmp((*a)->name, (*b)->name);
}

static bool mark_same_name(struct notes *notes)
{
	size_t count = notes->comparison->row_count;
	struct row_note **sorted = calloc(count + 1, sizeof *sorted);

	if (sorted == NULL)
		return false;
	for (size_t i = 0; i < count; i++)
		sorted[i] = &notes->rows[i];
	qsort(sorted, count, sizeof *sorted, compare_note_names);
	for (size_t i = 1; i < count; i++)
		if (strcmp(sorted[i - 1]->name, sorted[i]->name) == 0)
			sorted[i - 1]->has_same_name = sorted[i]->has_same_name = true;
	free(sorted);
	return true;
}

static bool write_notes(struct notes *notes)
{
	size_t count = notes->comparison->row_count;

	notes->rows = calloc(count + 1, sizeof *notes->rows);
	if (notes->rows == NULL)
		return false;
	for (size_t i = 0; i < count; i++)
		notes->rows[i].name = name_of_row(notes, &notes->comparison->rows[i]);
	struct note_stream out = {.buffer = NULL};
	out.stream = open_memstream(&out.buffer, &out.length);
	bool is_written = out.stream != NULL && mark_same_name(notes);
	for (size_t i = 0; is_written && i < count; i++)
		is_written = write_note(notes, i, &out);
	if (out.stream != NULL)
		fclose(out.stream);
	free(out.buffer);
	return is_written;
}

enum status notes_create(const struct comparison *comparison, struct demangler *names, struct notes *notes,
                         struct error *error)
{
	*notes = (struct notes){.comparison = comparison, .names = names};
	return write_notes(notes)
	               ? STATUS_OK
	               : status_fail(error, "out of memory for the names of %zu functions", comparison->row_count);
}

void notes_free(struct notes *notes)
{
	for (size_t i = 0; notes->rows != NULL && i < notes->comparison->row_count; i++)
		free(notes->rows[i].text);
	free(notes->rows);
}

const char *notes_name(const struct notes *notes, size_t row)
{
	return notes->rows[row].name;
}

const char *notes_text(const struct notes *notes, size_t row)
{
	return notes->rows[row].text;
}

/* The length of the longest beginning of a name that fits into max bytes without cutting a character. */
static size_t whole_length(const char *name, size_t max)
{
	size_t length = 0;

	while (name[length] != '\0') {
		size_t character = text_character(name + length);
		size_t next = length + (character == 0 ? 1 : character);

		if (next > max)
			break;
		length = next;
	}
	return length;
}

const char *notes_unit_of_work(const struct notes *notes, char text[NOTES_UNIT_SIZE])
{
	const struct comparison *comparison = notes->comparison;
	const char *unit = format_unit_of_work(comparison);

	if (comparison->unit != COMPARE_PER_CALL) {
		snprintf(text, NOTES_UNIT_SIZE, "%s", unit);
		return text;
	}
	const char *name = notes_name(notes, comparison->unit_row);
	size_t length = whole_length(name, NAME_IN_TITLE_MAX);
	snprintf(text, NOTES_UNIT_SIZE, "%s of %.*s%s", unit, (int)length, name, name[length] == '\0' ? "" : "...");
	return text;
}
