/* SPDX-License-Identifier: MIT */
/* See epilogues.h. Instructions are decoded in order. Their effects within a row are followed until the function is
 * left. If something else comes first, such as a call, they are discarded and the row stays as it is. */
#include "firmware/unwind/epilogues.h"

#include "base/array.h"
#include "base/search.h"
#include "firmware/calls/segments.h"

/* The maximum number of bytes that are pushed for a call. */
#define PUSHED_MAX 64

struct epilogue_search {
	const struct image *image;
	const struct decoder *decoder;
	const struct frame_rows *rows;
	size_t row;                 /* the first one that ends after the instruction */
	struct frame_row rules;     /* valid before the instruction */
	bool is_changed;            /* the rules differ from the row */
	bool is_lost;               /* the rules are unknown until the row ends */
	struct stack_effect before; /* the effect of the instruction before */
	uint64_t level;        /* no call, jump or change of the stack pointer from this address to the instruction */
	uint64_t level_before; /* level of the instruction before; the end of that instruction if it is conditional */
	/* Corrected parts of the given rows, in ascending order. Those from `certain` on belong to an epilogue that has
	 * not ended yet. */
	struct frame_row *found;
	size_t count, certain;
	bool out_of_memory;
};

/* --- Rules. */

/* If a saved register's place is below the stack pointer now, and the register was not loaded from there, its value was
 * moved to another register. */
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
static void reset_rules(struct epilogue_search *search, bool is_epilogue)
{
	if (is_epilogue)
		search->certain = search->count;
	search->count = search->certain;
	search->is_changed = search->is_lost = false;
	if (search->row < search->rows->count)
		search->rules = search->rows->rows[search->row];
}

/* Moves to the row of an address; false if there is none. */
static bool move_to_row(struct epilogue_search *search, uint64_t address)
{
	size_t before = search->row;

	while (search->row < search->rows->count && search->rows->rows[search->row].high <= address)
		search->row++;
	if (search->row != before)
		reset_rules(search, false);
	return search->row < search->rows->count && search->rows->rows[search->row].low <= address;
}

/* The rules change at an address within the row. */
static void add_changed_row(struct epilogue_search *search, uint64_t address)
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

/* Adds a row that does not depend on what follows. */
static void add_certain(struct epilogue_search *search, const struct frame_row *row)
{
	if (!array_append(&search->found, &search->count, row, sizeof *row))
		search->out_of_memory = true;
	search->certain = search->count;
}

/* Whether an instruction leaves its function for good. */
static bool leaves_for_good(const struct instruction *instruction, const struct segment *segment)
{
	const struct image_function *function = segment->function;
	bool is_inside =
	        function != NULL && instruction->target >= function->start && instruction->target < function->end;

	return instruction->flow == FLOW_JUMP && (!instruction->has_target || !is_inside);
}

static void follow_stack(struct epilogue_search *search, const struct stack_effect *effect, bool is_conditional,
                         uint64_t next)
{
	struct frame_row before = search->rules;
	bool is_last = next >= search->rows->rows[search->row].high;
	bool gives_back = effect->loads_link || effect->loads_frame || (effect->moves && effect->rise >= 0);

	if (!gives_back && !(search->is_changed && effect->moves))
		return;
	if (effect->loads_frame)
		load_frame(&search->rules, effect->frame_from);
	if (effect->loads_link)
		load_link(&search->rules, effect->link_from);
	if (effect->moves)
		move_stack(&search->rules, effect);
	/* The code frees more stack than the row says was used: the row is wrong, and is not corrected. */
	bool is_wrong = search->rules.base == FRAME_FROM_SP && search->rules.offset < 0;
	if (is_conditional || is_wrong)
		search->is_lost = true;
	else if (!is_last && !are_equal(&before, &search->rules))
		add_changed_row(search, next);
}

/* A jump changes no register, so the rules of its target apply. GCC states wrong rules where it jumps to a function of
 * -msave-restore that restores registers. Only functions of this kind have a saved return address at their start. */
static void take_rules_of_target(struct epilogue_search *search, const struct code_place *place,
                                 const struct instruction *instruction)
{
	const struct frame_row *target =
	        instruction->has_target ? frame_row_at(search->rows, instruction->target) : NULL;

	if (target == NULL || target->ra != FRAME_SAVED || target->base != FRAME_FROM_SP || search->is_lost ||
	    are_equal(target, &search->rules))
		return;
	search->rules = *target;
	add_changed_row(search, place->address);
}

/*
 * At a return by the link register, the stack pointer has the caller's value again. libgcc's frame information of
 * __aeabi_uldivmod states otherwise there, so it is also wrong for preceding code that does not change the stack
 * pointer.
 */
static void correct_return(struct epilogue_search *search, const struct instruction *instruction, uint64_t next)
{
	const struct frame_row *row = &search->rows->rows[search->row];
	struct frame_row returning = *row;
	uint64_t low = search->count > 0 ? search->found[search->count - 1].high : 0;

	if (instruction->returns != RETURN_BY_LINK || search->is_changed || search->is_lost ||
	    row->base != FRAME_FROM_SP || row->offset == 0 || row->ra != FRAME_SAME)
		return;
	low = low > search->level ? low : search->level;
	returning.low = low > row->low ? low : row->low;
	returning.high = next;
	returning.offset = 0;
	returning.fp = FRAME_SAME;
	add_certain(search, &returning);
}

/*
 * Words that a function pops right before it returns by the link register are on the stack before the pop. newlib's
 * strcpy() for Armv7-M pushes a register in inline assembly, without frame information.
 */
static void add_popped_words(struct epilogue_search *search, const struct instruction *instruction, uint64_t address)
{
	const struct frame_row *row = &search->rows->rows[search->row];
	const struct stack_effect *pop = &search->before;
	struct frame_row popped = *row;

	if (instruction->returns != RETURN_BY_LINK || search->is_changed || !pop->moves || !pop->is_known ||
	    pop->rise <= 0 || pop->rise > PUSHED_MAX || pop->loads_link || pop->loads_frame ||
	    row->base != FRAME_FROM_SP || row->offset != 0 || row->ra != FRAME_SAME)
		return;
	popped.low = search->level_before > row->low ? search->level_before : row->low;
	popped.high = address;
	popped.offset = (int32_t)pop->rise;
	if (popped.low < popped.high)
		add_certain(search, &popped);
}

/* --- Words for a call. */

static bool is_called_hook(const struct image *image, const struct instruction *instruction)
{
	return instruction->has_target && image_is_hook(image, instruction->target);
}

/*
 * Rows may omit that the instruction before a call pushed LR, unless a row begins at the call. For -pg, compilers
 * generate `push {lr}` before `bl __gnu_mcount_nc`, which pops LR. libgcc's __udivsi3 for Armv6-M pushes LR before it
 * calls the handler of divisions by 0.
 */
static void add_pushed_words(struct epilogue_search *search, const struct instruction *instruction, uint64_t address)
{
	const struct frame_row *row = &search->rows->rows[search->row];
	const struct stack_effect *push = &search->before;
	struct frame_row pushed = *row;
	bool saves = push->saves_link && row->ra == FRAME_SAME;

	if (instruction->flow != FLOW_CALL || !(saves || is_called_hook(search->image, instruction)) ||
	    !push->is_known || push->rise >= 0 || push->rise < -PUSHED_MAX || row->low == address ||
	    row->base != FRAME_FROM_SP || row->offset > INT32_MAX - PUSHED_MAX)
		return;
	pushed.low = address;
	pushed.high = address + instruction->length;
	pushed.offset -= (int32_t)push->rise;
	if (saves) {
		pushed.ra = FRAME_SAVED;
		pushed.ra_offset = (int32_t)push->link_to - pushed.offset;
	}
	add_certain(search, &pushed);
}

/* --- */

static void follow_instruction(struct epilogue_search *search, const struct instruction_walk *walk,
                               const struct stack_effect *effect, const struct segment *segment, bool is_conditional)
{
	const struct instruction *instruction = &walk->instruction;
	uint64_t next = walk->place.address + instruction->length;

	if (!move_to_row(search, walk->place.address))
		return;
	correct_return(search, instruction, next);
	add_popped_words(search, instruction, walk->place.address);
	if (instruction->flow != FLOW_NEXT) {
		bool is_exit = leaves_for_good(instruction, segment);

		if (is_exit)
			take_rules_of_target(search, &walk->place, instruction);
		if (search->count > search->certain)
			search->found[search->count - 1].high = next;
		reset_rules(search, is_exit && !search->is_lost);
		add_pushed_words(search, instruction, walk->place.address);
	} else if (!search->is_lost) {
		follow_stack(search, effect, is_conditional, next);
	}
}

static bool search_segment(void *context, const struct segment *segment)
{
	struct epilogue_search *search = context;
	struct instruction_walk walk;
	unsigned conditional = 0;

	search->row = first_above(search->rows->rows, search->rows->count, sizeof *search->rows->rows,
	                          offsetof(struct frame_row, high), segment->start);
	reset_rules(search, false);
	search->before = (struct stack_effect){.moves = false};
	search->level = segment->start;
	instruction_walk_begin(&walk, search->decoder, search->image, segment);
	while (!search->out_of_memory && instruction_walk_next(&walk)) {
		const struct stack_effect effect = instruction_walk_effect(&walk);
		enum instruction_flow flow = walk.instruction.flow;
		uint64_t next = walk.place.address + walk.instruction.length;

		follow_instruction(search, &walk, &effect, segment, conditional > 0);
		search->before = effect;
		search->level_before = conditional > 0 ? next : search->level;
		if (flow == FLOW_JUMP || flow == FLOW_CALL || effect.moves)
			search->level = next;
		if (flow != FLOW_NEXT)
			forget_all(&walk.registers);
		conditional = walk.registers.conditional;
	}
	reset_rules(search, false);
	return !search->out_of_memory;
}

bool epilogues_correct(const struct image *image, struct frame_rows *rows)
{
	struct epilogue_search search = {.image = image, .decoder = decoder_of(image), .rows = rows};

	if (search.decoder == NULL || rows->count == 0)
		return true;
	bool ok = each_segment(image, search_segment, &search) && frame_rows_divide(rows, search.found, search.count);
	free(search.found);
	return ok;
}
