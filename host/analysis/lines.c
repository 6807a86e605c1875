/* SPDX-License-Identifier: MIT */
/*
 * Pass: assigns samples to source lines, and to the calls that the compiler replaced by the callee's body. Samples that
 * several lines share are shared among them by bytes, as they are among functions.
 */
#include "analysis/analysis.h"
#include "analysis/shares.h"
#include "array/grown.h"
#include "capture/count.h"

#include <stdlib.h>
#include <string.h>

/* Functions that lie inlined one in another; what lies deeper is that of the last one. */
#define INLINES_MAX 64

struct credit {
	double samples, time;
	double variance;          /* of the time of this line */
	double function_variance; /* as a part of that of a function, or of one that was inlined */
};

/* A stretch of code of one line, of one function, of the same functions inlined. */
struct piece {
	uint64_t low, high;
	const char *file;
	int line;
	bool begins_function; /* or one that was inlined, or goes on with one behind another */
	struct credit credit;
};

struct lines {
	struct profile *profile;
	struct piece *pieces; /* sorted, never overlapping */
	size_t piece_count;
	uint64_t *cuts; /* rising: where the functions change that the code is of */
	size_t cut_count;
	struct credit *unknown; /* by node: code of which the line is not known */
	size_t node_count;
	bool out_of_memory;
};

static void *grow(struct lines *lines, void *items, size_t item_size, size_t count)
{
	void *more = grown(items, item_size, count);
	lines->out_of_memory |= more == NULL;
	return more;
}

static void add_cut(struct lines *lines, uint64_t address)
{
	uint64_t *cuts = grow(lines, lines->cuts, sizeof *cuts, lines->cut_count);
	if (cuts == NULL)
		return;
	lines->cuts = cuts;
	lines->cuts[lines->cut_count++] = address;
}

static void add_cuts(void *context, uint64_t low, uint64_t high)
{
	add_cut(context, low);
	add_cut(context, high);
}

static int compare_addresses(const void *left, const void *right)
{
	uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;
	return (a > b) - (a < b);
}

static void find_cuts(struct lines *lines)
{
	const struct image *image = lines->profile->image;
	image_each_inline(image, add_cuts, lines);
	for (size_t i = 0; i < image->function_count; i++)
		add_cuts(lines, image->functions[i].start, image->functions[i].end);
	if (lines->cut_count > 0)
		qsort(lines->cuts, lines->cut_count, sizeof *lines->cuts, compare_addresses);
}

/* The first cut behind address. */
static size_t cut_behind(const struct lines *lines, uint64_t address)
{
	size_t low = 0, high = lines->cut_count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (lines->cuts[middle] <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static void add_piece(struct lines *lines, struct piece piece)
{
	struct piece *pieces = grow(lines, lines->pieces, sizeof *pieces, lines->piece_count);
	if (pieces == NULL)
		return;
	lines->pieces = pieces;
	lines->pieces[lines->piece_count++] = piece;
}

static void add_pieces(void *context, uint64_t low, uint64_t high, const char *file, int line)
{
	struct lines *lines = context;
	for (size_t cut = cut_behind(lines, low); low < high && !lines->out_of_memory; cut++) {
		uint64_t end = cut < lines->cut_count && lines->cuts[cut] < high ? lines->cuts[cut] : high;
		struct piece piece = {.low = low, .high = end, .file = file, .line = line};
		piece.begins_function = cut > 0 && lines->cuts[cut - 1] == low;
		if (end > low)
			add_piece(lines, piece);
		low = end;
	}
}

/* The first piece that ends behind address. */
static size_t piece_behind(const struct lines *lines, uint64_t address)
{
	size_t low = 0, high = lines->piece_count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (lines->pieces[middle].high <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* fraction: of the share; fraction_of_function: what all lines of the function have of it. */
static void add_credit(struct credit *credit, const struct share *share, double fraction, double fraction_of_function)
{
	double samples = share->samples * fraction, scale = share->sample_time * share->sample_time;
	double known = samples + share->variance * fraction;
	double doubt_of_function = share_doubt(share->samples, fraction_of_function) * fraction / fraction_of_function;
	credit->samples += samples;
	credit->time += samples * share->sample_time;
	credit->variance += (known + share_doubt(share->samples, fraction)) * scale;
	credit->function_variance += (known + doubt_of_function) * scale;
}

static uint64_t overlap(const struct piece *piece, const struct share *share)
{
	uint64_t low = piece->low > share->low ? piece->low : share->low;
	uint64_t high = piece->high < share->high ? piece->high : share->high;
	return high > low ? high - low : 0;
}

/* The bytes of the share that belong to the same function as the first of these pieces, up to one that does not. */
static uint64_t bytes_of_function(const struct lines *lines, size_t first, const struct share *share)
{
	uint64_t bytes = overlap(&lines->pieces[first], share);
	for (size_t i = first + 1; i < lines->piece_count && !lines->pieces[i].begins_function; i++) {
		if (lines->pieces[i].low >= share->high)
			break;
		bytes += overlap(&lines->pieces[i], share);
	}
	return bytes;
}

static bool is_same_line(const struct piece *left, const struct piece *right)
{
	return left->line == right->line && strcmp(left->file, right->file) == 0;
}

/* The recorder is one row, whatever it is made of. */
static enum status credit_lines(void *context, const struct share *share, struct error *error)
{
	(void)error;
	struct lines *lines = context;
	if (lines->profile->nodes[share->node].kind == PROFILE_BAREPROF) {
		add_credit(&lines->unknown[share->node], share, 1, 1);
		return STATUS_OK;
	}
	uint64_t size = share->high - share->low, known = 0, of_function = 0;
	size_t first = piece_behind(lines, share->low);
	bool is_shared = share->variance > 0; /* with another function, whose lines are others */
	bool is_of_several = is_shared;
	for (size_t i = first; i < lines->piece_count && lines->pieces[i].low < share->high; i++) {
		struct piece *piece = &lines->pieces[i];
		uint64_t bytes = overlap(piece, share);
		if (i == first || piece->begins_function)
			of_function = bytes_of_function(lines, i, share);
		add_credit(&piece->credit, share, (double)bytes / (double)size, (double)of_function / (double)size);
		known += bytes;
		is_shared |= !is_same_line(piece, &lines->pieces[first]);
		is_of_several |= i > first && piece->begins_function;
	}
	double unknown = size == 0 ? 1 : (double)(size - known) / (double)size;
	if (unknown > 0)
		add_credit(&lines->unknown[share->node], share, unknown, unknown);
	lines->profile->line_samples_shared += is_shared ? share->samples : 0;
	lines->profile->inline_samples_shared += is_of_several ? share->samples : 0;
	return STATUS_OK;
}

static enum status out_of_memory(const struct lines *lines, struct error *error)
{
	return status_fail(error, "%s: out of memory for its lines", lines->profile->image->path);
}

static enum status find_pieces(struct lines *lines, struct error *error)
{
	find_cuts(lines);
	image_each_line(lines->profile->image, add_pieces, lines);
	lines->node_count = lines->profile->node_count;
	lines->unknown = calloc(lines->node_count + 1, sizeof *lines->unknown);
	lines->out_of_memory |= lines->unknown == NULL;
	return lines->out_of_memory ? out_of_memory(lines, error) : STATUS_OK;
}

static void add_row(struct lines *lines, struct profile_line row)
{
	struct profile *profile = lines->profile;
	struct profile_line *rows = grow(lines, profile->lines, sizeof *rows, profile->line_count);
	if (rows == NULL)
		return;
	profile->lines = rows;
	profile->lines[profile->line_count++] = row;
}

static bool was_seen(const struct image_inline *inlines, size_t count, const struct image_inline *call)
{
	for (size_t i = 0; i < count; i++)
		if (inlines[i].file != NULL && inlines[i].line == call->line &&
		    strcmp(inlines[i].file, call->file) == 0)
			return true;
	return false;
}

/* The line at hand, and each line further out from which the code was called before it was inlined; none twice. */
static void add_rows_of_piece(struct lines *lines, const struct piece *piece)
{
	struct image_inline inlines[INLINES_MAX];
	const struct image *image = lines->profile->image;
	size_t function = image_first_function_behind(image, piece->low);
	size_t node = profile_node_of_function(lines->profile, function);
	size_t count = image_inlines(image, piece->low, inlines, INLINES_MAX);
	struct profile_line row = {
	        .file = piece->file,
	        .line = piece->line,
	        .function = count > 1 ? inlines[0].name : lines->profile->nodes[node].name,
	        .is_inlined = count > 1,
	        .node = node,
	        .self_samples = piece->credit.samples,
	        .self_time = piece->credit.time,
	        .self_variance = piece->credit.variance,
	        .function_variance = piece->credit.function_variance,
	};
	add_row(lines, row);
	for (size_t i = 1; i < count; i++) {
		if (inlines[i].file == NULL || was_seen(inlines, i, &inlines[i]))
			continue;
		bool is_inlined = i + 1 < count;
		row = (struct profile_line){
		        .file = inlines[i].file,
		        .line = inlines[i].line,
		        .function = is_inlined ? inlines[i].name : lines->profile->nodes[node].name,
		        .is_inlined = is_inlined,
		        .node = node,
		        .inlined_time = piece->credit.time,
		};
		add_row(lines, row);
	}
}

static void add_rows_of_node(struct lines *lines, size_t index)
{
	const struct profile_node *node = &lines->profile->nodes[index];
	const struct credit *unknown = &lines->unknown[index];
	struct profile_line row = {.function = node->name, .node = index};
	if (unknown->time > 0) {
		row.self_samples = unknown->samples;
		row.self_time = unknown->time;
		row.self_variance = unknown->variance;
		row.function_variance = unknown->function_variance;
		add_row(lines, row);
	}
	row = (struct profile_line){.function = node->name, .node = index};
	row.calls = profile_node_calls(node);
	if (row.calls > 0 && node->kind == PROFILE_FUNCTION) {
		image_line(lines->profile->image, node->address, &row.file, &row.line);
		add_row(lines, row);
	}
}

/* Sampling interrupts are of no line. */
static void credit_handler(struct lines *lines)
{
	const struct profile *profile = lines->profile;
	for (size_t i = 0; i < lines->node_count; i++)
		lines->unknown[i].time += profile_node_handler_time(profile, i);
}

static int compare_files(const char *left, const char *right)
{
	if (left == NULL || right == NULL)
		return (left == NULL) - (right == NULL);
	return left == right ? 0 : strcmp(left, right);
}

static int compare_lines(const void *left, const void *right)
{
	const struct profile_line *a = left, *b = right;
	int by_file = compare_files(a->file, b->file);
	if (by_file != 0)
		return by_file;
	if (a->line != b->line)
		return a->line < b->line ? -1 : 1;
	int by_function = strcmp(a->function, b->function);
	if (by_function != 0)
		return by_function;
	if (a->is_inlined != b->is_inlined)
		return a->is_inlined ? 1 : -1;
	return (a->node > b->node) - (a->node < b->node);
}

static void merge_line(struct profile_line *line, const struct profile_line *more)
{
	line->self_samples += more->self_samples;
	line->self_time += more->self_time;
	line->self_variance += more->self_variance;
	line->function_variance += more->function_variance;
	line->inlined_time += more->inlined_time;
	count_add(&line->calls, more->calls);
}

static void merge_rows(struct profile *profile)
{
	if (profile->line_count == 0)
		return;
	qsort(profile->lines, profile->line_count, sizeof *profile->lines, compare_lines);
	size_t kept = 1;
	for (size_t i = 1; i < profile->line_count; i++) {
		if (compare_lines(&profile->lines[kept - 1], &profile->lines[i]) == 0)
			merge_line(&profile->lines[kept - 1], &profile->lines[i]);
		else
			profile->lines[kept++] = profile->lines[i];
	}
	profile->line_count = kept;
}

static enum status make_rows(struct lines *lines, struct error *error)
{
	for (size_t i = 0; i < lines->piece_count && !lines->out_of_memory; i++)
		if (lines->pieces[i].credit.samples > 0)
			add_rows_of_piece(lines, &lines->pieces[i]);
	for (size_t i = 0; i < lines->node_count && !lines->out_of_memory; i++)
		add_rows_of_node(lines, i);
	if (lines->out_of_memory)
		return out_of_memory(lines, error);
	merge_rows(lines->profile);
	return STATUS_OK;
}

enum status analysis_find_lines(struct profile *profile, struct error *error)
{
	struct lines lines = {.profile = profile};
	enum status status = find_pieces(&lines, error);
	if (status == STATUS_OK)
		status = shares_each(profile, credit_lines, &lines, error);
	if (status == STATUS_OK)
		credit_handler(&lines);
	if (status == STATUS_OK)
		status = make_rows(&lines, error);
	free(lines.pieces);
	free(lines.cuts);
	free(lines.unknown);
	return status;
}
