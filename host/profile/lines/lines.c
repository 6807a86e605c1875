/* SPDX-License-Identifier: MIT */
/*
 * Pass: assigns samples to source lines, and to the calls that the compiler replaced by the callee's body. Lines of one
 * basic block share its samples by instructions, which run equally often; groups.h shares cells among blocks.
 */
#include "profile/lines.h"

#include "base/array.h"
#include "capture/count.h"
#include "profile/lines/line_pieces.h"
#include "profile/samples/groups.h"

#include <stdlib.h>
#include <string.h>

/* Lines count as separated if less than this part of the samples is in cells of several lines. */
#define SHARED_PART 0.01

/* The maximum depth of inlined functions; code that is inlined deeper counts for the last function within the limit. */
#define INLINES_MAX 64

/* The claim of a row or a function on a cell: sums over the cell's parts, for group_variance(). fraction is the claim's
 * fraction of the current part. */
struct row_claim {
	double fraction;
	double gain, first, second;
	double cross; /* for a row: the sum of fraction * its function's fraction * variance */
	size_t parts; /* for a row: the number of parts that it has code in */
	bool is_touched;
};

/* A line of a function, or the code of a node that has no line. */
struct line_row {
	struct profile_line line;
	size_t function; /* the number of the function */
	struct row_claim claim;
};

struct lines {
	struct profile *profile;
	struct line_pieces pieces;
	struct line_row *rows; /* rows of pieces, in the order of compare_profile_lines(); then one for each node */
	size_t piece_rows, row_count;
	struct row_claim *functions;
	size_t *of_part, *of_cell; /* rows of the current part and cell */
	size_t of_part_count, of_cell_count;
	uint64_t widest; /* bytes of the largest cell that several lines share */
};

/* --- Order. */

static int compare_line_files(const char *left, const char *right)
{
	if (left == NULL || right == NULL)
		return (left == NULL) - (right == NULL);
	return left == right ? 0 : strcmp(left, right);
}

static int compare_line_functions(const struct profile_line *a, const struct profile_line *b)
{
	int by_function = strcmp(a->function, b->function);

	if (by_function != 0)
		return by_function;
	if (a->is_inlined != b->is_inlined)
		return a->is_inlined ? 1 : -1;
	return (a->node > b->node) - (a->node < b->node);
}

static int compare_profile_lines(const void *left, const void *right)
{
	const struct profile_line *a = left, *b = right;
	int by_file = compare_line_files(a->file, b->file);

	if (by_file != 0)
		return by_file;
	if (a->line != b->line)
		return a->line < b->line ? -1 : 1;
	return compare_line_functions(a, b);
}

static int compare_line_rows(const void *left, const void *right)
{
	const struct line_row *a = left, *b = right;

	return compare_profile_lines(&a->line, &b->line);
}

static int compare_functions_of_rows(const void *left, const void *right)
{
	const struct line_row *const *a = left, *const *b = right;

	return compare_line_functions(&(*a)->line, &(*b)->line);
}

static bool is_same_profile_line(const struct profile_line *left, const struct profile_line *right)
{
	return left->line == right->line && compare_line_files(left->file, right->file) == 0;
}

/* --- Rows. */

static void mark_pieces(struct line_pieces *pieces, const struct group_part *part)
{
	for (size_t i = line_pieces_after(pieces, part->low); i < pieces->count && pieces->items[i].low < part->high;
	     i++)
		pieces->items[i].row = 1;
}

/* The line and function of a piece; the function may be inlined there. */
static struct profile_line line_of_piece(const struct lines *lines, const struct line_piece *piece)
{
	struct image_inline inlines[INLINES_MAX];
	const struct image *image = lines->profile->image;
	size_t function = image_first_function_after(image, piece->low);
	size_t node = profile_node_of_function(lines->profile, function);
	size_t count = image_inlines(image, piece->low, inlines, INLINES_MAX);

	return (struct profile_line){
	        .file = piece->file,
	        .line = piece->line,
	        .function = count > 1 ? inlines[0].name : lines->profile->nodes[node].name,
	        .is_inlined = count > 1,
	        .node = node,
	};
}

/* Drops pieces without samples. */
static bool make_piece_rows(struct lines *lines)
{
	struct line_pieces *pieces = &lines->pieces;
	size_t kept = 0;

	for (size_t i = 0; i < pieces->count; i++)
		if (pieces->items[i].row != 0)
			pieces->items[kept++] = pieces->items[i];
	pieces->count = kept;
	lines->rows = calloc(kept + lines->profile->node_count + 1, sizeof *lines->rows);
	for (size_t i = 0; lines->rows != NULL && i < kept; i++)
		lines->rows[i].line = line_of_piece(lines, &pieces->items[i]);
	return lines->rows != NULL;
}

/* Creates one row for each line of a function, and sets the row of each piece. */
static void merge_piece_rows(struct lines *lines)
{
	qsort(lines->rows, lines->pieces.count, sizeof *lines->rows, compare_line_rows);
	for (size_t i = 0; i < lines->pieces.count; i++)
		if (lines->piece_rows == 0 ||
		    compare_line_rows(&lines->rows[lines->piece_rows - 1], &lines->rows[i]) != 0)
			lines->rows[lines->piece_rows++] = lines->rows[i];
	for (size_t i = 0; i < lines->pieces.count; i++) {
		const struct line_row row = {.line = line_of_piece(lines, &lines->pieces.items[i])};
		const struct line_row *found =
		        bsearch(&row, lines->rows, lines->piece_rows, sizeof *lines->rows, compare_line_rows);

		lines->pieces.items[i].row = (size_t)(found - lines->rows);
	}
}

static void add_node_rows(struct lines *lines)
{
	lines->row_count = lines->piece_rows;
	for (size_t i = 0; i < lines->profile->node_count; i++)
		lines->rows[lines->row_count++] = (struct line_row){
		        .line = {.function = lines->profile->nodes[i].name, .node = i},
		};
}

static bool number_functions(struct lines *lines)
{
	struct line_row **order = calloc(lines->row_count + 1, sizeof *order);

	lines->functions = calloc(lines->row_count + 1, sizeof *lines->functions);
	lines->of_part = calloc(lines->row_count + 1, sizeof *lines->of_part);
	lines->of_cell = calloc(lines->row_count + 1, sizeof *lines->of_cell);
	for (size_t i = 0; order != NULL && i < lines->row_count; i++)
		order[i] = &lines->rows[i];
	if (order != NULL && lines->row_count > 0)
		qsort(order, lines->row_count, sizeof *order, compare_functions_of_rows);
	for (size_t i = 1; order != NULL && i < lines->row_count; i++)
		order[i]->function =
		        order[i - 1]->function + (compare_functions_of_rows(&order[i - 1], &order[i]) != 0);
	free(order);
	return order != NULL && lines->functions != NULL && lines->of_part != NULL && lines->of_cell != NULL;
}

static enum status find_line_rows(struct lines *lines, struct error *error)
{
	if (!line_pieces_find(&lines->pieces, lines->profile->image))
		return status_no_memory(error, lines->profile->image->path);
	for (size_t i = 0; i < lines->profile->group_part_count; i++)
		mark_pieces(&lines->pieces, &lines->profile->group_parts[i]);
	if (!make_piece_rows(lines))
		return status_no_memory(error, lines->profile->image->path);
	merge_piece_rows(lines);
	add_node_rows(lines);
	return number_functions(lines) ? STATUS_OK : status_no_memory(error, lines->profile->image->path);
}

/* --- Cells. */

static void claim_fraction(struct lines *lines, size_t row, double fraction)
{
	struct row_claim *claim = &lines->rows[row].claim;

	if (fraction <= 0)
		return;
	if (claim->fraction <= 0)
		lines->of_part[lines->of_part_count++] = row;
	if (!claim->is_touched)
		lines->of_cell[lines->of_cell_count++] = row;
	claim->is_touched = true;
	claim->fraction += fraction;
	lines->functions[lines->rows[row].function].fraction += fraction;
}

static void end_part(struct lines *lines, const struct group_part *part)
{
	for (size_t i = 0; i < lines->of_part_count; i++) {
		struct line_row *row = &lines->rows[lines->of_part[i]];
		struct row_claim *claim = &row->claim, *function = &lines->functions[row->function];

		claim->gain += claim->fraction * part->gain;
		claim->first += claim->fraction * part->variance;
		claim->second += claim->fraction * claim->fraction * part->variance;
		claim->cross += claim->fraction * function->fraction * part->variance;
		claim->parts++;
		function->gain += claim->fraction * part->gain;
		function->first += claim->fraction * part->variance;
	}
	for (size_t i = 0; i < lines->of_part_count; i++) {
		struct line_row *row = &lines->rows[lines->of_part[i]];

		row->claim.fraction = lines->functions[row->function].fraction = 0;
	}
	lines->of_part_count = 0;
}

/* Code without a line goes to its node. The recorder is a single row. */
static void divide_part(struct lines *lines, const struct sample_group *group, const struct group_part *part)
{
	const struct code_map *map = lines->profile->code;
	uint64_t all = code_map_instructions(map, part->low, part->high);
	bool is_recorder = lines->profile->nodes[part->node].kind == PROFILE_BAREPROF;
	double unknown = 1;

	for (size_t i = line_pieces_after(&lines->pieces, part->low);
	     !is_recorder && i < lines->pieces.count && lines->pieces.items[i].low < part->high; i++) {
		struct line_piece *piece = &lines->pieces.items[i];
		uint64_t low = piece->low > part->low ? piece->low : part->low;
		uint64_t high = piece->high < part->high ? piece->high : part->high;
		double fraction = all == 0 ? (double)(high - low) / (double)(part->high - part->low)
		                           : (double)code_map_instructions(map, low, high) / (double)all;

		piece->samples += part->samples * fraction;
		piece->time += part->samples * fraction * group->sample_time;
		claim_fraction(lines, piece->row, fraction);
		unknown -= fraction;
	}
	if (unknown > 1e-9) {
		struct line_row *row = &lines->rows[lines->piece_rows + part->node];

		row->line.self_samples += part->samples * unknown;
		row->line.self_time += part->samples * unknown * group->sample_time;
		claim_fraction(lines, lines->piece_rows + part->node, unknown);
	}
	end_part(lines, part);
}

/* Adds the errors of the rows of a cell, and their correlation with the errors of their functions. */
static void end_cell_of_lines(struct lines *lines, const struct sample_group *group)
{
	double scale = group->sample_time * group->sample_time;
	bool is_shared = false, is_of_several = false, has_blocks = code_map_is_decoded(lines->profile->code);

	for (size_t i = 0; i < lines->of_cell_count; i++) {
		struct line_row *row = &lines->rows[lines->of_cell[i]];
		const struct line_row *first = &lines->rows[lines->of_cell[0]];
		const struct row_claim *claim = &row->claim, *function = &lines->functions[row->function];
		double with_function = claim->cross - claim->gain * function->first - function->gain * claim->first +
		                       claim->gain * function->gain * group->spread;

		row->line.self_variance += group_variance(group, claim->gain, claim->first, claim->second) * scale;
		row->line.function_variance += with_function * scale;
		row->line.has_run |= has_blocks && claim->parts == group->part_count;
		is_shared |= !is_same_profile_line(&row->line, &first->line);
		is_of_several |= row->function != first->function;
	}
	for (size_t i = 0; i < lines->of_cell_count; i++) {
		struct line_row *row = &lines->rows[lines->of_cell[i]];

		row->claim = lines->functions[row->function] = (struct row_claim){.fraction = 0};
	}
	lines->of_cell_count = 0;
	if (is_shared && group->size > lines->widest)
		lines->widest = group->size;
	lines->profile->line_samples_shared += is_shared ? (double)group->count : 0;
	lines->profile->inline_samples_shared += is_of_several ? (double)group->count : 0;
}

static void take_whole(struct lines *lines, const struct sample_group *group)
{
	struct profile_line *line = &lines->rows[lines->piece_rows + group->node].line;
	double time = (double)group->count * group->sample_time;

	line->self_samples += (double)group->count;
	line->self_time += time;
	line->self_variance += time * group->sample_time;
	line->function_variance += time * group->sample_time;
}

static void divide_cell(struct lines *lines, const struct sample_group *group)
{
	for (size_t i = 0; i < group->part_count; i++)
		divide_part(lines, group, &group_parts(lines->profile, group)[i]);
	if (group->part_count > 0)
		end_cell_of_lines(lines, group);
	else
		take_whole(lines, group);
}

/* --- The lines of the profile. */

static bool append_profile_line(struct profile *profile, struct profile_line line)
{
	return array_append(&profile->lines, &profile->line_count, &line, sizeof line);
}

static bool was_seen(const struct image_inline *inlines, size_t count, const struct image_inline *call)
{
	for (size_t i = 0; i < count; i++)
		if (inlines[i].file != NULL && inlines[i].line == call->line &&
		    strcmp(inlines[i].file, call->file) == 0)
			return true;
	return false;
}

/* Adds the lines of the calls that were replaced by the code of a piece, innermost first, none twice. */
static bool add_callers_of_piece(const struct lines *lines, const struct line_piece *piece)
{
	struct image_inline inlines[INLINES_MAX];
	const struct profile_line *line = &lines->rows[piece->row].line;
	size_t count = image_inlines(lines->profile->image, piece->low, inlines, INLINES_MAX);
	bool ok = true;

	for (size_t i = 1; ok && i < count; i++) {
		bool is_inlined = i + 1 < count;

		if (inlines[i].file == NULL || was_seen(inlines, i, &inlines[i]))
			continue;
		ok = append_profile_line(
		        lines->profile,
		        (struct profile_line){
		                .file = inlines[i].file,
		                .line = inlines[i].line,
		                .function = is_inlined ? inlines[i].name : lines->profile->nodes[line->node].name,
		                .is_inlined = is_inlined,
		                .node = line->node,
		                .inlined_time = piece->time,
		        });
	}
	return ok;
}

static bool add_sampled_code(const struct lines *lines, const struct line_piece *piece)
{
	struct profile *profile = lines->profile;
	const struct profile_code code = {
	        .low = piece->low,
	        .high = piece->high,
	        .file = piece->file,
	        .line = piece->line,
	        .node = lines->rows[piece->row].line.node,
	        .samples = piece->samples,
	};

	return array_append(&profile->sampled_code, &profile->sampled_code_count, &code, sizeof code);
}

static int compare_profile_code(const void *left, const void *right)
{
	const struct profile_code *a = left, *b = right;

	if (a->node != b->node)
		return a->node < b->node ? -1 : 1;
	return (a->low > b->low) - (a->low < b->low);
}

static bool add_calls_of_node(const struct lines *lines, size_t index)
{
	const struct profile_node *node = &lines->profile->nodes[index];
	struct profile_line line = {.function = node->name, .node = index, .calls = profile_node_calls(node)};

	if (line.calls == 0 || node->kind != PROFILE_FUNCTION)
		return true;
	image_line(lines->profile->image, node->address, &line.file, &line.line);
	return append_profile_line(lines->profile, line);
}

static void merge_line(struct profile_line *line, const struct profile_line *more)
{
	line->self_samples += more->self_samples;
	line->self_time += more->self_time;
	line->self_variance += more->self_variance;
	line->function_variance += more->function_variance;
	line->inlined_time += more->inlined_time;
	line->has_run |= more->has_run;
	count_add(&line->calls, more->calls);
}

static void merge_profile_lines(struct profile *profile)
{
	if (profile->line_count == 0)
		return;
	qsort(profile->lines, profile->line_count, sizeof *profile->lines, compare_profile_lines);
	size_t kept = 1;
	for (size_t i = 1; i < profile->line_count; i++) {
		if (compare_profile_lines(&profile->lines[kept - 1], &profile->lines[i]) == 0)
			merge_line(&profile->lines[kept - 1], &profile->lines[i]);
		else
			profile->lines[kept++] = profile->lines[i];
	}
	profile->line_count = kept;
}

/* Sampling interrupts belong to no line. */
static void add_handler(struct lines *lines)
{
	for (size_t i = lines->piece_rows; i < lines->row_count; i++)
		lines->rows[i].line.self_time += profile_node_handler_time(lines->profile, i - lines->piece_rows);
}

static enum status make_lines(struct lines *lines, struct error *error)
{
	bool ok = true;

	add_handler(lines);
	for (size_t i = 0; ok && i < lines->pieces.count; i++) {
		const struct line_piece *piece = &lines->pieces.items[i];
		struct profile_line *line = &lines->rows[piece->row].line;

		line->self_samples += piece->samples;
		line->self_time += piece->time;
		if (piece->samples > 0)
			ok = add_callers_of_piece(lines, piece) && add_sampled_code(lines, piece);
	}
	for (size_t i = 0; ok && i < lines->row_count; i++)
		if (lines->rows[i].line.self_time > 0)
			ok = append_profile_line(lines->profile, lines->rows[i].line);
	for (size_t i = 0; ok && i < lines->profile->node_count; i++)
		ok = add_calls_of_node(lines, i);
	if (!ok)
		return status_no_memory(error, lines->profile->image->path);
	merge_profile_lines(lines->profile);
	if (lines->profile->sampled_code_count > 0)
		qsort(lines->profile->sampled_code, lines->profile->sampled_code_count,
		      sizeof *lines->profile->sampled_code, compare_profile_code);
	return STATUS_OK;
}

enum status analysis_find_lines(struct profile *profile, struct error *error)
{
	struct lines lines = {.profile = profile};
	enum status status = find_line_rows(&lines, error);

	for (size_t i = 0; status == STATUS_OK && i < profile->group_count; i++)
		divide_cell(&lines, &profile->groups[i]);
	if (status == STATUS_OK)
		status = make_lines(&lines, error);
	if (status == STATUS_OK)
		profile->separating_size = line_pieces_separating_size(&lines.pieces, lines.widest, SHARED_PART);
	line_pieces_free(&lines.pieces);
	free(lines.rows);
	free(lines.functions);
	free(lines.of_part);
	free(lines.of_cell);
	return status;
}
