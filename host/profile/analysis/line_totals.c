/* SPDX-License-Identifier: MIT */
/*
 * Pass: measured total times of source lines. The time of a stack counts once for each line that made a call on it.
 * Lines of the sampled function get parts of the time in proportion to all of the function's samples, which are many
 * more than its stacks. A line of that function that also made a call on the stack gets the whole time.
 */
#include "base/array.h"
#include "base/search.h"
#include "profile/analysis/analysis.h"

#include <stdlib.h>
#include <string.h>

/* The maximum depth of inlined functions; lines further out are left out. */
#define INLINES_MAX 64

/* A line of code at a place: that of the code itself, or that of a call into which the code was inlined. */
struct mention {
	const char *file;
	int line;
	size_t node;
	size_t total; /* index into the profile's line totals */
};

/* An address and its mentions. */
struct place {
	uint64_t address;
	size_t node;
	size_t first, count;
};

struct totals {
	struct profile *profile;
	struct place *calls; /* by address; none twice */
	size_t call_count;
	struct place *code; /* by index of the sampled code */
	struct mention *mentions;
	size_t mention_count;
	double *shares; /* by total: the part of the current function's samples */
	size_t *seen;   /* by total: the last stack that had it, from 1 */
	/* The sampled function of the current stacks, its sampled code from first_code up to end_code, and the time of
	 * its stacks. */
	size_t leaf, first_code, end_code;
	double leaf_time;
};

/* --- Lines. */

static bool is_mentioned(const struct totals *totals, const struct place *place, const char *file, int line)
{
	for (size_t i = place->first; i < totals->mention_count; i++)
		if (totals->mentions[i].line == line && strcmp(totals->mentions[i].file, file) == 0)
			return true;
	return false;
}

static bool add_mention(struct totals *totals, struct place *place, const char *file, int line)
{
	const struct mention mention = {file, line, place->node, 0};

	if (file == NULL || line <= 0 || is_mentioned(totals, place, file, line))
		return true;
	place->count++;
	return array_append(&totals->mentions, &totals->mention_count, &mention, sizeof mention);
}

/* Adds the line of the code itself, which is file and line, and those of calls that it was inlined into. */
static bool add_mentions(struct totals *totals, struct place *place, const char *file, int line)
{
	struct image_inline inlines[INLINES_MAX];
	size_t count = image_inlines(totals->profile->image, place->address, inlines, INLINES_MAX);

	place->first = totals->mention_count;
	bool ok = add_mention(totals, place, file, line);
	for (size_t i = 1; ok && i < count; i++)
		ok = add_mention(totals, place, inlines[i].file, inlines[i].line);
	return ok;
}

static int compare_places(const void *left, const void *right)
{
	const struct place *a = left, *b = right;

	return compare_numbers(a->address, b->address);
}

static size_t count_frames(const struct profile_measurement *measurement)
{
	size_t count = 0;

	for (size_t i = 0; i < measurement->count; i++)
		count += measurement->stacks[i].depth;
	return count;
}

static void list_calls(struct totals *totals, const struct profile_measurement *measurement)
{
	size_t count = 0, kept = 0;

	for (size_t i = 0; i < measurement->count; i++) {
		const struct profile_stack *stack = &measurement->stacks[i];

		for (size_t j = 1; j < stack->depth; j++)
			if (stack->frames[j].address != 0)
				totals->calls[count++] = (struct place){.address = stack->frames[j].address,
				                                        .node = stack->frames[j].node};
	}
	if (count > 0)
		qsort(totals->calls, count, sizeof *totals->calls, compare_places);
	for (size_t i = 0; i < count; i++)
		if (kept == 0 || totals->calls[kept - 1].address != totals->calls[i].address)
			totals->calls[kept++] = totals->calls[i];
	totals->call_count = kept;
}

static bool find_places(struct totals *totals, struct scratch *scratch)
{
	const struct profile *profile = totals->profile;
	bool ok = true;

	totals->calls = scratch_array(scratch, count_frames(profile->measurement), sizeof *totals->calls);
	totals->code = scratch_array(scratch, profile->sampled_code_count, sizeof *totals->code);
	if (scratch->is_short_of_memory)
		return false;
	list_calls(totals, profile->measurement);
	for (size_t i = 0; ok && i < totals->call_count; i++) {
		const char *file = NULL;
		int line = 0;

		image_instruction_line(profile->image, totals->calls[i].address, &file, &line);
		ok = add_mentions(totals, &totals->calls[i], file, line);
	}
	for (size_t i = 0; ok && i < profile->sampled_code_count; i++) {
		const struct profile_code *code = &profile->sampled_code[i];

		totals->code[i] = (struct place){.address = code->low, .node = code->node};
		ok = add_mentions(totals, &totals->code[i], code->file, code->line);
	}
	return ok;
}

static int compare_lines(const struct mention *a, const struct mention *b)
{
	int by_file = a->file == b->file ? 0 : strcmp(a->file, b->file);

	return by_file != 0 ? by_file : (a->line > b->line) - (a->line < b->line);
}

static int compare_mentions(const void *left, const void *right)
{
	const struct mention *a = *(struct mention *const *)left, *b = *(struct mention *const *)right;
	int by_line = compare_lines(a, b);

	return by_line != 0 ? by_line : compare_numbers(a->node, b->node);
}

/* Creates a total for each line. */
static bool make_totals(struct totals *totals, struct scratch *scratch)
{
	struct profile *profile = totals->profile;
	struct mention **order = scratch_array(scratch, totals->mention_count, sizeof *order);

	profile->line_totals = calloc(totals->mention_count + 1, sizeof *profile->line_totals);
	if (order == NULL || profile->line_totals == NULL)
		return false;
	for (size_t i = 0; i < totals->mention_count; i++)
		order[i] = &totals->mentions[i];
	if (totals->mention_count > 0)
		qsort(order, totals->mention_count, sizeof *order, compare_mentions);
	for (size_t i = 0; i < totals->mention_count; i++) {
		if (i == 0 || compare_lines(order[i - 1], order[i]) != 0)
			profile->line_totals[profile->line_total_count++] = (struct profile_line_total){
			        .file = order[i]->file, .line = order[i]->line, .node = order[i]->node};
		order[i]->total = profile->line_total_count - 1;
	}
	totals->shares = scratch_array(scratch, profile->line_total_count, sizeof *totals->shares);
	totals->seen = scratch_array(scratch, profile->line_total_count, sizeof *totals->seen);
	return !scratch->is_short_of_memory;
}

/* --- Times. */

static const struct mention *mention_of(const struct totals *totals, const struct place *place, size_t index)
{
	return &totals->mentions[place->first + index];
}

/* Sets the lines' shares of the current function's samples. */
static void set_shares(struct totals *totals)
{
	const struct profile *profile = totals->profile;

	for (size_t i = totals->first_code; i < totals->end_code; i++) {
		double share = profile->sampled_code[i].samples / profile->nodes[totals->leaf].self_samples;

		for (size_t j = 0; j < totals->code[i].count; j++)
			totals->shares[mention_of(totals, &totals->code[i], j)->total] += share;
	}
}

/* Ends the stacks of a function: its lines have their shares of the time. */
static void end_leaf(struct totals *totals)
{
	for (size_t i = totals->first_code; i < totals->end_code; i++)
		for (size_t j = 0; j < totals->code[i].count; j++) {
			size_t total = mention_of(totals, &totals->code[i], j)->total;

			totals->profile->line_totals[total].time += totals->shares[total] * totals->leaf_time;
			totals->shares[total] = 0;
		}
	totals->leaf_time = 0;
}

/* The first sampled code of the node, or of the next one that has any. */
static size_t first_code_of(const struct profile *profile, size_t node)
{
	return first_index_from(profile->sampled_code, profile->sampled_code_count, sizeof *profile->sampled_code,
	                        offsetof(struct profile_code, node), node);
}

static void begin_leaf(struct totals *totals, size_t leaf)
{
	totals->leaf = leaf;
	totals->first_code = first_code_of(totals->profile, leaf);
	totals->end_code = first_code_of(totals->profile, leaf + 1);
	set_shares(totals);
}

/* Adds the time of a stack to the lines of its calls, less their share of the time as lines of the sampled function. */
static void add_stack(struct totals *totals, const struct profile_stack *stack, size_t number)
{
	for (size_t i = 1; i < stack->depth; i++) {
		const struct place key = {.address = stack->frames[i].address};
		const struct place *call =
		        key.address == 0 ? NULL
		                         : bsearch(&key, totals->calls, totals->call_count, sizeof key, compare_places);

		for (size_t j = 0; call != NULL && j < call->count; j++) {
			size_t total = mention_of(totals, call, j)->total;

			if (totals->seen[total] != number)
				totals->profile->line_totals[total].time += stack->time * (1 - totals->shares[total]);
			totals->seen[total] = number;
		}
	}
	totals->leaf_time += stack->time;
}

static void add_stacks(struct totals *totals)
{
	const struct profile_measurement *measurement = totals->profile->measurement;

	for (size_t i = 0; i < measurement->count; i++) {
		const struct profile_stack *stack = &measurement->stacks[i];

		if (i > 0 && stack->frames[0].node != totals->leaf)
			end_leaf(totals);
		if (i == 0 || stack->frames[0].node != totals->leaf)
			begin_leaf(totals, stack->frames[0].node);
		add_stack(totals, stack, i + 1);
	}
	if (measurement->count > 0)
		end_leaf(totals);
}

enum status analysis_find_line_totals(struct profile *profile, struct error *error)
{
	struct totals totals = {.profile = profile};
	struct scratch scratch = {.count = 0};

	if (profile->measurement == NULL)
		return STATUS_OK;
	bool ok = find_places(&totals, &scratch) && make_totals(&totals, &scratch);
	if (ok)
		add_stacks(&totals);
	scratch_free(&scratch);
	free(totals.mentions);
	return ok ? STATUS_OK : status_no_memory(error, profile->image->path);
}
