/* SPDX-License-Identifier: MIT */
/* See leaves.h. */
#include "firmware/unwind/leaves.h"

#include "base/array.h"
#include "firmware/calls/segments.h"
#include "firmware/private.h"
#include "firmware/unwind/frame_table.h"

struct leaf_search {
	const struct decoder *decoder;
	const struct image *image;
	unsigned link;
	struct frame_rows *rows;
	size_t given;                          /* the rows at first, which are sorted */
	const struct image_function *function; /* the function of the last segment; NULL: none */
	bool keeps_frame, returns;             /* true for its instructions so far */
};

static bool add_leaf_row(struct leaf_search *search)
{
	const struct image_function *function = search->function;

	if (function == NULL || !search->keeps_frame || !search->returns)
		return true;
	const struct frame_row row = {
	        .low = function->start,
	        .high = function->end,
	        .base = FRAME_FROM_SP,
	        .ra = FRAME_SAME,
	        .fp = FRAME_SAME,
	};
	return array_append(&search->rows->rows, &search->rows->count, &row, sizeof row);
}

static void begin_leaf_function(struct leaf_search *search, const struct image_function *function)
{
	const struct frame_rows given = {.rows = search->rows->rows, .count = search->given};

	search->function = function;
	search->keeps_frame = function != NULL && !frame_rows_overlap(&given, function->start, function->end);
	search->returns = false;
}

static bool stays_inside(const struct image_function *function, const struct instruction *instruction)
{
	return instruction->flow == FLOW_NEXT || !instruction->has_target ||
	       (instruction->target >= function->start && instruction->target < function->end);
}

/* Considers an instruction, before which the link register held the return address. */
static void consider_instruction(struct leaf_search *search, const struct instruction_walk *walk)
{
	const struct instruction *instruction = &walk->instruction;
	bool returns = instruction->returns == RETURN_BY_LINK;

	search->returns |= returns;
	search->keeps_frame &=
	        instruction_walk_keeps(walk, search->link) && !instruction->may_be_table_jump &&
	        !instruction_walk_effect(walk).moves &&
	        (returns || (instruction->returns == RETURN_NONE && stays_inside(search->function, instruction)));
}

static bool read_segment(void *context, const struct segment *segment)
{
	struct leaf_search *search = context;
	const struct image_function *function = image_sized_function_at(search->image, segment->start);
	struct instruction_walk walk;

	if (function != search->function) {
		if (!add_leaf_row(search))
			return false;
		begin_leaf_function(search, function);
	}
	if (!search->keeps_frame)
		return true;
	instruction_walk_begin(&walk, search->decoder, search->image, segment);
	do {
		instruction_walk_watch(&walk, search->link);
		if (!instruction_walk_next(&walk)) {
			search->keeps_frame &= walk.place.size == 0;
			return true;
		}
		consider_instruction(search, &walk);
	} while (search->keeps_frame);
	return true;
}

bool leaves_add(const struct image *image, struct frame_rows *rows)
{
	struct leaf_search search = {.image = image, .decoder = decoder_of(image), .rows = rows, .given = rows->count};

	if (rows->count == 0 || search.decoder == NULL || !frame_table_link(image, &search.link))
		return true;
	bool ok = each_segment(image, read_segment, &search) && add_leaf_row(&search);
	frame_rows_sort(rows->rows, rows->count);
	return ok;
}
