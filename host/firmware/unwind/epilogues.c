/* SPDX-License-Identifier: MIT */
/* See epilogues.h. Instructions are decoded in order. Their effects within a row are followed until the function is
 * left. If something else comes first, such as a call, they are discarded and the row stays as it is. */
#include "firmware/unwind/epilogues.h"

#include "base/array.h"
#include "base/search.h"
#include "firmware/calls/segments.h"

struct search {
	const struct image *image;
	const struct decoder *decoder;
	const struct frame_rows *rows;
	size_t row;             /* the first one that ends after the instruction */
	struct frame_row rules; /* before the instruction */
	bool is_changed;        /* they differ from those of the row */
	bool is_lost;           /* they are unknown until the row ends */
	int64_t pushed;         /* bytes by which the instruction before lowered the stack pointer */
	/* Rows for parts of the given ones, in ascending order; those from `certain` on belong to an epilogue that has
	 * not ended yet. */
	struct frame_row *found;
	size_t count, certain;
	bool out_of_memory;
};

/* --- Rules. */

/* A saved register whose place is now below the stack pointer, and which was not loaded, was moved to another one. */
static void lose_below(const struct frame_row *rules, uint8_t *rule, int32_t offset)
{
	if (*rule == FRAME_SAVED && (int64_t)rules->offset + offset < 0)
		*rule = FRAME_UNKNOWN;
}

/* The frame pointer is loaded from its place in the frame, so the place's distance from the stack pointer is known. */
static void load_frame(struct frame_row *rules, int64_t from)
{
	if (rules->fp != FRAME_SAVED)
		return;
	if (rules->base == FRAME_FROM_FP) {
		rules->base = FRAME_FROM_SP;
		rules->offset = (int32_t)(from - rules->fp_offset);
	}
	if (rules->base == FRAME_FROM_SP && from == (int64_t)rules->offset + rules->fp_offset)
		rules->fp = FRAME_SAME;
}

static void load_link(struct frame_row *rules, int64_t from)
{
	if (rules->ra == FRAME_SAVED &&
	    (rules->base == FRAME_FROM_FP ||
	     (rules->base == FRAME_FROM_SP && from == (int64_t)rules->offset + rules->ra_offset)))
		rules->ra = FRAME_SAME;
}

static void move_stack(struct frame_row *rules, const struct stack_effect *effect)
{
	if (rules->base != FRAME_FROM_SP)
		return;
	int64_t offset = rules->offset - effect->rise;
	if (!effect->is_known || offset < INT32_MIN || offset > INT32_MAX)
		rules->base = FRAME_FROM_UNKNOWN;
	rules->offset = (int32_t)offset;
	lose_below(rules, &rules->ra, rules->ra_offset);
	lose_below(rules, &rules->fp, rules->fp_offset);
}

static bool are_equal(const struct frame_row *left, const struct frame_row *right)
{
	return left->base == right->base && left->offset == right->offset && left->ra == right->ra &&
	       left->fp == right->fp;
}

/* --- Epilogues. */

/* Returns to the rules of the row; keeps the changes found so far if they belong to an epilogue. */
static void reset(struct search *search, bool is_epilogue)
{
	if (is_epilogue)
		search->certain = search->count;
	search->count = search->certain;
	search->is_changed = search->is_lost = false;
	if (search->row < search->rows->count)
		search->rules = search->rows->rows[search->row];
}

/* Moves to the row of an address; false if there is none. */
static bool find_row(struct search *search, uint64_t address)
{
	size_t before = search->row;

	while (search->row < search->rows->count && search->rows->rows[search->row].high <= address)
		search->row++;
	if (search->row != before)
		reset(search, false);
	return search->row < search->rows->count && search->rows->rows[search->row].low <= address;
}

/* The rules change at an address within the row. */
static void add_change(struct search *search, uint64_t address)
{
	const struct frame_row *row = &search->rows->rows[search->row];
	struct frame_row changed = search->rules;

	if (search->count > search->certain)
		search->found[search->count - 1].high = address;
	changed.low = address;
	changed.high = row->high;
	if (!array_append(&search->found, &search->count, &changed, sizeof changed))
		search->out_of_memory = true;
	search->is_changed = true;
}

/* Whether an instruction leaves its function for good. */
static bool leaves(const struct instruction *instruction, const struct segment *segment)
{
	const struct image_function *function = segment->function;
	bool is_inside =
	        function != NULL && instruction->target >= function->start && instruction->target < function->end;

	return instruction->flow == FLOW_JUMP && (!instruction->has_target || !is_inside);
}

static void follow_stack(struct search *search, const struct code_place *place, const struct known_registers *registers,
                         bool is_conditional, uint64_t next)
{
	struct stack_effect effect = {.moves = false};
	struct frame_row before = search->rules;
	bool is_last = next >= search->rows->rows[search->row].high;

	search->decoder->find_stack_effect(place, registers, &effect);
	bool gives_back = effect.loads_link || effect.loads_frame || (effect.moves && effect.rise >= 0);
	if (!gives_back && !(search->is_changed && effect.moves))
		return;
	if (effect.loads_frame)
		load_frame(&search->rules, effect.frame_from);
	if (effect.loads_link)
		load_link(&search->rules, effect.link_from);
	if (effect.moves)
		move_stack(&search->rules, &effect);
	/* More is given back than was taken by the row: the row is wrong, and is not corrected. */
	bool is_wrong = search->rules.base == FRAME_FROM_SP && search->rules.offset < 0;
	if (is_conditional || is_wrong)
		search->is_lost = true;
	else if (!is_last && !are_equal(&before, &search->rules))
		add_change(search, next);
}

/*
 * A jump changes no register, so its rules are those of its target. GCC states wrong rules where it jumps to a function
 * of -msave-restore that restores the registers. Only targets of this kind have a saved return address at their start.
 */
static void take_rules_of_target(struct search *search, const struct code_place *place,
                                 const struct instruction *instruction)
{
	const struct frame_row *target =
	        instruction->has_target ? frame_row_at(search->rows, instruction->target) : NULL;

	if (target == NULL || target->ra != FRAME_SAVED || target->base != FRAME_FROM_SP || search->is_lost ||
	    are_equal(target, &search->rules))
		return;
	search->rules = *target;
	add_change(search, place->address);
}

/* --- Hooks. */

static bool is_hook(const struct image *image, const struct instruction *instruction)
{
	for (size_t i = 0; instruction->has_target && i < image->hook_count; i++)
		if (image->hooks[i] == instruction->target)
			return true;
	return false;
}

/* For -pg, compilers generate `push {lr}` before `bl __gnu_mcount_nc`, which pops LR. They often omit frame information
 * for the call; if a row begins there, it is right. */
static void add_hook_call(struct search *search, uint64_t address, uint64_t next)
{
	const struct frame_row *row = &search->rows->rows[search->row];
	struct frame_row pushed = *row;

	if (row->low == address || row->base != FRAME_FROM_SP || row->offset > INT32_MAX - search->pushed)
		return;
	pushed.low = address;
	pushed.high = next;
	pushed.offset += (int32_t)search->pushed;
	if (pushed.ra == FRAME_SAME) {
		pushed.ra = FRAME_SAVED;
		pushed.ra_offset = -pushed.offset;
	}
	if (!array_append(&search->found, &search->count, &pushed, sizeof pushed))
		search->out_of_memory = true;
	search->certain = search->count;
}

static int64_t pushed_by(const struct search *search, const struct instruction_walk *walk)
{
	struct stack_effect effect = {.moves = false};

	if (walk->instruction.flow != FLOW_NEXT)
		return 0;
	search->decoder->find_stack_effect(&walk->place, &walk->registers, &effect);
	return effect.moves && effect.is_known && effect.rise < 0 && effect.rise > -64 ? -effect.rise : 0;
}

/* Considers one instruction. */
static void follow(struct search *search, const struct instruction_walk *walk, const struct segment *segment,
                   bool is_conditional)
{
	const struct instruction *instruction = &walk->instruction;
	uint64_t next = walk->place.address + instruction->length;

	if (!find_row(search, walk->place.address))
		return;
	if (instruction->flow != FLOW_NEXT) {
		bool is_exit = leaves(instruction, segment);

		if (is_exit)
			take_rules_of_target(search, &walk->place, instruction);
		if (search->count > search->certain)
			search->found[search->count - 1].high = next;
		reset(search, is_exit && !search->is_lost);
		if (search->pushed > 0 && is_hook(search->image, instruction))
			add_hook_call(search, walk->place.address, next);
	} else if (!search->is_lost) {
		follow_stack(search, &walk->place, &walk->registers, is_conditional, next);
	}
}

static void search_segment(struct search *search, const struct segment *segment)
{
	struct instruction_walk walk;
	unsigned conditional = 0;

	search->row = first_above(search->rows->rows, search->rows->count, sizeof *search->rows->rows,
	                          offsetof(struct frame_row, high), segment->start);
	reset(search, false);
	search->pushed = 0;
	instruction_walk_begin(&walk, search->decoder, search->image, segment);
	while (!search->out_of_memory && instruction_walk_next(&walk)) {
		follow(search, &walk, segment, conditional > 0);
		search->pushed = pushed_by(search, &walk);
		if (walk.instruction.flow != FLOW_NEXT)
			forget_all(&walk.registers);
		conditional = walk.registers.conditional;
	}
	reset(search, false);
}

static void search_code(struct search *search)
{
	const struct image *image = search->image;
	struct image_extent *extents;
	size_t extent_count;

	search->out_of_memory = !image_data_in_code(image, &extents, &extent_count);
	if (search->out_of_memory)
		return;
	for (size_t i = 0; i < image->code_count; i++) {
		struct segment_walk walk;
		struct segment segment;

		segment_walk_begin(&walk, image, &image->code[i], extents, extent_count);
		while (!search->out_of_memory && segment_walk_next(&walk, &segment))
			search_segment(search, &segment);
	}
	free(extents);
}

/* --- Rows. */

static int compare_rows(const void *left, const void *right)
{
	const struct frame_row *a = left, *b = right;

	return compare_numbers(a->low, b->low);
}

/* Adds the rules of a row for [low, high), unless that is empty. */
static bool add_part(struct frame_rows *rows, const struct frame_row *row, uint64_t low, uint64_t high)
{
	struct frame_row part = *row;

	part.low = low;
	part.high = high;
	return low >= high || array_append(&rows->rows, &rows->count, &part, sizeof part);
}

/* Divides the given rows where rows were found, each within a given one. Found rows overlap if sections do. */
static bool divide(const struct frame_rows *given, const struct search *search, struct frame_rows *divided)
{
	size_t next = 0;

	for (size_t i = 0; i < given->count; i++) {
		const struct frame_row *row = &given->rows[i];
		uint64_t low = row->low;

		for (; next < search->count && search->found[next].low < row->high; next++) {
			const struct frame_row *found = &search->found[next];

			if (found->low < low)
				continue;
			if (!add_part(divided, row, low, found->low) ||
			    !add_part(divided, found, found->low, found->high < row->high ? found->high : row->high))
				return false;
			low = found->high;
		}
		if (!add_part(divided, row, low, row->high))
			return false;
	}
	return true;
}

bool epilogues_correct(const struct image *image, struct frame_rows *rows)
{
	struct search search = {.image = image, .decoder = decoder_of(image), .rows = rows};
	struct frame_rows divided = {.rows = NULL};

	if (search.decoder == NULL || search.decoder->find_stack_effect == NULL || rows->count == 0)
		return true;
	search_code(&search);
	if (search.count > 0)
		qsort(search.found, search.count, sizeof *search.found, compare_rows);
	bool ok = !search.out_of_memory && divide(rows, &search, &divided);
	free(search.found);
	frame_rows_free(ok ? rows : &divided);
	if (ok)
		*rows = divided;
	return ok;
}
