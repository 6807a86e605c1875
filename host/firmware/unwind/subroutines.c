/* SPDX-License-Identifier: MIT */
/* See subroutines.h. Jumps are followed from the targets of calls. Then all code is searched for other ways into the
 * code that was found. */
#include "firmware/unwind/subroutines.h"

#include "base/array.h"
#include "firmware/calls/segments.h"
#include "firmware/private.h"
#include "firmware/unwind/code_marks.h"
#include "firmware/unwind/frame_table.h"

#include <stdlib.h>

/* Marks of code: it runs with the return address of a call in the link register; it may also run otherwise. */
enum mark { MARK_CALLED, MARK_OTHERWISE, MARKS };

struct subroutine_search {
	const struct image *image;
	const struct decoder *decoder;
	const struct frame_rows *rows;
	unsigned link; /* the link register */
	struct code_marks marks;
	struct frame_rows found;
	uint64_t *places; /* to be followed from */
	size_t place_count;
	const struct image_function
	        *last_searched; /* whose places were added, because it has a jump to an unknown place */
	bool is_out_of_memory;
};

/* --- Marks. */

static bool is_marked(const struct subroutine_search *search, uint64_t address, enum mark mark)
{
	return code_marks_has(&search->marks, address, mark);
}

static void mark_instruction(struct subroutine_search *search, const struct instruction_walk *walk, enum mark mark)
{
	for (uint64_t i = 0; i < walk->instruction.length; i++)
		code_marks_add(&search->marks, walk->place.address + i, mark);
}

/* --- Following code. */

static void add_pending_place(struct subroutine_search *search, uint64_t address)
{
	if (!array_append(&search->places, &search->place_count, &address, sizeof address))
		search->is_out_of_memory = true;
}

static bool has_saved_return(const struct subroutine_search *search, uint64_t address)
{
	const struct frame_row *row = frame_row_at(search->rows, address);

	return row != NULL && row->ra == FRAME_SAVED;
}

/* True if the walk goes on to mark this instruction. A call belongs to no subroutine: it overwrites the return address.
 */
static bool is_next(const struct subroutine_search *search, const struct instruction_walk *walk, enum mark mark)
{
	uint64_t address = walk->place.address;

	if (is_marked(search, address, mark))
		return false;
	return mark == MARK_CALLED ? walk->instruction.flow != FLOW_CALL && has_saved_return(search, address)
	                           : is_marked(search, address, MARK_CALLED);
}

static bool keeps_link_and_stack(const struct subroutine_search *search, const struct instruction_walk *walk)
{
	return instruction_walk_keeps(walk, search->link) && !instruction_walk_effect(walk).moves;
}

static bool is_jump_to(const struct instruction *instruction)
{
	return instruction->has_target && instruction->returns == RETURN_NONE &&
	       (instruction->flow == FLOW_JUMP || instruction->flow == FLOW_BRANCH);
}

/* Marks the code that runs from an address on, up to its first jump; adds the targets of its branches. */
static void follow_code(struct subroutine_search *search, uint64_t start, enum mark mark)
{
	const struct image_code *code = image_code_at(search->image, start);
	struct instruction_walk walk;

	if (code == NULL)
		return;
	const struct segment segment = {.code = code, .start = start, .end = code->address + code->size};
	instruction_walk_begin(&walk, search->decoder, search->image, &segment);
	do {
		instruction_walk_watch(&walk, search->link);
		if (!instruction_walk_next(&walk) || !is_next(search, &walk, mark))
			return;
		mark_instruction(search, &walk, mark);
		if (is_jump_to(&walk.instruction))
			add_pending_place(search, walk.instruction.target);
	} while (walk.instruction.flow != FLOW_JUMP && (mark == MARK_OTHERWISE || keeps_link_and_stack(search, &walk)));
}

static void follow_all(struct subroutine_search *search, enum mark mark)
{
	while (search->place_count > 0 && !search->is_out_of_memory)
		follow_code(search, search->places[--search->place_count], mark);
}

/* --- The ways into subroutines. */

static bool is_by_link(const struct subroutine_search *search, const struct call *call)
{
	const struct image_code *code = image_code_at(search->image, call->site);
	struct instruction_walk walk;

	if (code == NULL)
		return false;
	const struct segment segment = {.code = code, .start = call->site, .end = code->address + code->size};
	instruction_walk_begin(&walk, search->decoder, search->image, &segment);
	instruction_walk_watch(&walk, search->link);
	return instruction_walk_next(&walk) && !instruction_walk_keeps(&walk, search->link);
}

/* Adds the targets of calls by the link register, or of calls by another register. */
static void add_targets(struct subroutine_search *search, const struct calls *calls, bool by_link)
{
	for (size_t i = 0; i < calls->count; i++) {
		const struct call *call = &calls->items[i];

		if (call->kind == CALL_DIRECT && has_saved_return(search, call->target) &&
		    is_by_link(search, call) == by_link)
			add_pending_place(search, call->target);
	}
}

/* A jump to an unknown place may lead anywhere in its function. */
static void add_places_of_function(struct subroutine_search *search, uint64_t address)
{
	const struct image_function *function = image_sized_function_at(search->image, address);
	const struct image_code *code = image_code_at(search->image, address);

	if (function == NULL || function == search->last_searched)
		return;
	search->last_searched = function;
	for (uint64_t at = function->start; at < function->end && at - code->address < code->size; at++)
		if (is_marked(search, at, MARK_CALLED))
			add_pending_place(search, at);
}

/* Adds the places in subroutines that other code leads to. */
static bool add_other_ways(void *context, const struct segment *segment)
{
	struct subroutine_search *search = context;
	struct instruction_walk walk;

	instruction_walk_begin(&walk, search->decoder, search->image, segment);
	while (instruction_walk_next(&walk) && !search->is_out_of_memory) {
		const struct instruction *instruction = &walk.instruction;
		uint64_t next = walk.place.address + instruction->length;

		walk.registers.known = 0;
		if (instruction->flow == FLOW_JUMP && !instruction->has_target && instruction->returns == RETURN_NONE)
			add_places_of_function(search, walk.place.address);
		if (is_marked(search, walk.place.address, MARK_CALLED))
			continue;
		if (instruction->flow != FLOW_JUMP && is_marked(search, next, MARK_CALLED))
			add_pending_place(search, next);
		if (is_jump_to(instruction) && is_marked(search, instruction->target, MARK_CALLED))
			add_pending_place(search, instruction->target);
	}
	return !search->is_out_of_memory;
}

/* --- Rows. */

/* The given row may end within an instruction. */
static void add_code_row(struct subroutine_search *search, uint64_t address)
{
	struct frame_rows *found = &search->found;
	struct frame_row row = {.base = FRAME_FROM_SP, .ra = FRAME_SAME, .fp = FRAME_SAME, .low = address};
	struct frame_row *last = found->count == 0 ? NULL : &found->rows[found->count - 1];
	const struct frame_row *given = frame_row_at(search->rows, address);

	if (given == NULL)
		return;
	row.high = address + INSTRUCTION_ALIGNMENT;
	if (last != NULL && last->high == address && given->low < address)
		last->high = row.high;
	else if (!array_append(&found->rows, &found->count, &row, sizeof row))
		search->is_out_of_memory = true;
}

static void find_subroutine_rows(struct subroutine_search *search)
{
	for (size_t i = 0; i < search->image->code_count; i++) {
		const struct image_code *code = &search->image->code[i];

		for (uint64_t at = 0; at < code->size; at += INSTRUCTION_ALIGNMENT)
			if (is_marked(search, code->address + at, MARK_CALLED) &&
			    !is_marked(search, code->address + at, MARK_OTHERWISE))
				add_code_row(search, code->address + at);
	}
}

static bool search_code(struct subroutine_search *search, const struct calls *calls)
{
	if (!code_marks_create(&search->marks, search->image, MARKS))
		return false;
	follow_all(search, MARK_CALLED);
	add_targets(search, calls, false);
	if (search->is_out_of_memory || !each_segment(search->image, add_other_ways, search))
		return false;
	follow_all(search, MARK_OTHERWISE);
	if (!search->is_out_of_memory)
		find_subroutine_rows(search);
	return !search->is_out_of_memory;
}

bool subroutines_correct(const struct image *image, const struct calls *calls, struct frame_rows *rows)
{
	struct subroutine_search search = {.image = image, .decoder = decoder_of(image), .rows = rows};

	if (search.decoder == NULL || !frame_table_link(image, &search.link))
		return true;
	add_targets(&search, calls, true);
	bool ok = !search.is_out_of_memory &&
	          (search.place_count == 0 ||
	           (search_code(&search, calls) && frame_rows_divide(rows, search.found.rows, search.found.count)));
	frame_rows_free(&search.found);
	free(search.places);
	code_marks_free(&search.marks);
	return ok;
}
