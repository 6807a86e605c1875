/* SPDX-License-Identifier: MIT */
/* See line_places.h. */
#include "profile/lines/line_places.h"

#include "base/search.h"
#include "profile/lines.h"
#include "profile/measurement.h"

#include <stdlib.h>
#include <string.h>

/* The maximum depth of inlined functions; lines further out are left out. */
#define INLINES_MAX 64

static bool is_mentioned(const struct line_places *places, const struct line_place *place, const char *file, int line)
{
	for (size_t i = place->first; i < places->mention_count; i++)
		if (places->mentions[i].line == line && strcmp(places->mentions[i].file, file) == 0)
			return true;
	return false;
}

static bool add_mention(struct line_places *places, struct line_place *place, const char *file, int line)
{
	const struct mention mention = {file, line, place->node, 0};

	if (file == NULL || line <= 0 || is_mentioned(places, place, file, line))
		return true;
	place->count++;
	return array_append(&places->mentions, &places->mention_count, &mention, sizeof mention);
}

/* Adds the line of the code itself, which is file and line, and the lines of the calls that it was inlined into. */
static bool add_mentions(struct line_places *places, struct line_place *place, const char *file, int line)
{
	struct image_inline inlines[INLINES_MAX];
	size_t count = image_inlines(places->profile->image, place->address, inlines, INLINES_MAX);

	place->first = places->mention_count;
	bool ok = add_mention(places, place, file, line);
	for (size_t i = 1; ok && i < count; i++)
		ok = add_mention(places, place, inlines[i].file, inlines[i].line);
	return ok;
}

static int compare_place_addresses(const void *left, const void *right)
{
	const struct line_place *a = left, *b = right;

	return compare_numbers(a->address, b->address);
}

static size_t count_stack_frames(const struct profile_measurement *measurement)
{
	size_t count = 0;

	for (size_t i = 0; i < measurement->count; i++)
		count += measurement->stacks[i].depth;
	return count;
}

static void list_calls(struct line_places *places, const struct profile_measurement *measurement)
{
	size_t count = 0, kept = 0;

	for (size_t i = 0; i < measurement->count; i++) {
		const struct profile_stack *stack = &measurement->stacks[i];

		for (size_t j = 1; j < stack->depth; j++)
			if (stack->frames[j].address != 0)
				places->calls[count++] = (struct line_place){.address = stack->frames[j].address,
				                                             .node = stack->frames[j].node};
	}
	if (count > 0)
		qsort(places->calls, count, sizeof *places->calls, compare_place_addresses);
	for (size_t i = 0; i < count; i++)
		if (kept == 0 || places->calls[kept - 1].address != places->calls[i].address)
			places->calls[kept++] = places->calls[i];
	places->call_count = kept;
}

static bool find_mentions(struct line_places *places, struct scratch *scratch)
{
	const struct profile *profile = places->profile;
	bool ok = true;

	places->calls = scratch_array(scratch, count_stack_frames(profile->measurement), sizeof *places->calls);
	places->code = scratch_array(scratch, profile->sampled_code_count, sizeof *places->code);
	if (scratch->is_short_of_memory)
		return false;
	list_calls(places, profile->measurement);
	for (size_t i = 0; ok && i < places->call_count; i++) {
		const char *file = NULL;
		int line = 0;

		image_instruction_line(profile->image, places->calls[i].address, &file, &line);
		ok = add_mentions(places, &places->calls[i], file, line);
	}
	for (size_t i = 0; ok && i < profile->sampled_code_count; i++) {
		const struct profile_code *code = &profile->sampled_code[i];

		places->code[i] = (struct line_place){.address = code->low, .node = code->node};
		ok = add_mentions(places, &places->code[i], code->file, code->line);
	}
	return ok;
}

static int compare_mentioned_lines(const struct mention *a, const struct mention *b)
{
	int by_file = a->file == b->file ? 0 : strcmp(a->file, b->file);

	return by_file != 0 ? by_file : (a->line > b->line) - (a->line < b->line);
}

static int compare_mentions(const void *left, const void *right)
{
	const struct mention *a = *(struct mention *const *)left, *b = *(struct mention *const *)right;
	int by_line = compare_mentioned_lines(a, b);

	return by_line != 0 ? by_line : compare_numbers(a->node, b->node);
}

/* Creates a total for each line. */
static bool make_totals(struct line_places *places, struct scratch *scratch)
{
	struct profile *profile = places->profile;
	struct mention **order = scratch_array(scratch, places->mention_count, sizeof *order);

	profile->line_totals = calloc(places->mention_count + 1, sizeof *profile->line_totals);
	if (order == NULL || profile->line_totals == NULL)
		return false;
	for (size_t i = 0; i < places->mention_count; i++)
		order[i] = &places->mentions[i];
	if (places->mention_count > 0)
		qsort(order, places->mention_count, sizeof *order, compare_mentions);
	for (size_t i = 0; i < places->mention_count; i++) {
		if (i == 0 || compare_mentioned_lines(order[i - 1], order[i]) != 0)
			profile->line_totals[profile->line_total_count++] = (struct profile_line_total){
			        .file = order[i]->file, .line = order[i]->line, .node = order[i]->node};
		order[i]->total = profile->line_total_count - 1;
	}
	return true;
}

bool line_places_find(struct line_places *places, struct profile *profile, struct scratch *scratch)
{
	*places = (struct line_places){.profile = profile};
	return find_mentions(places, scratch) && make_totals(places, scratch);
}

const struct line_place *line_places_of_call(const struct line_places *places, uint64_t address)
{
	const struct line_place key = {.address = address};

	return address == 0 || places->call_count == 0
	               ? NULL
	               : bsearch(&key, places->calls, places->call_count, sizeof key, compare_place_addresses);
}

size_t line_places_total(const struct line_places *places, const struct line_place *place, size_t index)
{
	return places->mentions[place->first + index].total;
}
