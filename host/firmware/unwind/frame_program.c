/* SPDX-License-Identifier: MIT */
/* See frame_program.h. */
#include "firmware/unwind/frame_program.h"

#include <dwarf.h>

/* The maximum number of states that a program may remember at once; compilers use one or two. */
#define REMEMBERED_MAX 64

struct program_run {
	const struct frame_section *section;
	const struct frame_common *common;
	const struct frame_numbers *numbers;
	const struct frame_state *initial; /* NULL while the program of a CIE runs */
	struct frame_state state;
	struct frame_state remembered[REMEMBERED_MAX];
	size_t remembered_count;
	uint64_t location, high;
	frame_state_found found;
	void *context;
	bool is_stopped; /* by an instruction that has no meaning here, or by the receiver */
};

static void stop_program(struct program_run *run)
{
	run->is_stopped = true;
}

/* --- Locations. */

/* Ends the rows before a location. */
static void move_to(struct program_run *run, uint64_t location)
{
	uint64_t end = location < run->high ? location : run->high;

	/* Locations only rise; in a CIE there are none. */
	bool is_row = run->initial != NULL && end > run->location;
	if (run->initial == NULL || location < run->location ||
	    (is_row && !run->found(run->context, run->location, end, &run->state)))
		stop_program(run);
	run->location = location;
	if (location >= run->high)
		stop_program(run);
}

static void set_location(struct program_run *run, const uint64_t *operands)
{
	move_to(run, operands[0]);
}

static void advance_location(struct program_run *run, const uint64_t *operands)
{
	uint64_t distance;

	if (__builtin_mul_overflow(operands[0], run->common->code_factor, &distance) ||
	    __builtin_add_overflow(run->location, distance, &distance))
		distance = UINT64_MAX;
	move_to(run, distance);
}

/* --- The caller's stack pointer. */

static void set_base(struct program_run *run, const uint64_t *operands)
{
	run->state.base = operands[0];
}

static void set_offset(struct program_run *run, const uint64_t *operands)
{
	run->state.offset = (int64_t)operands[0];
}

static void set_factored_offset(struct program_run *run, const uint64_t *operands)
{
	run->state.offset = (int64_t)(operands[0] * run->common->data_factor);
}

static void define_base(struct program_run *run, const uint64_t *operands)
{
	run->state.is_expression = false;
	run->state.base = operands[0];
	run->state.offset = (int64_t)operands[1];
}

static void define_factored_base(struct program_run *run, const uint64_t *operands)
{
	define_base(run, (uint64_t[]){operands[0], operands[1] * run->common->data_factor});
}

static void define_expression(struct program_run *run, const uint64_t *operands)
{
	(void)operands;
	run->state.is_expression = true;
}

/* --- Saved registers. */

/* The rule of a return address that was not saved. If it is not in the link register, it is unknown, as in functions
 * that GCC's -msave-restore calls by t0. */
static enum frame_rule rule_without_save(const struct frame_common *common, const struct frame_numbers *numbers)
{
	return common->return_register == numbers->link ? FRAME_SAME : FRAME_UNKNOWN;
}

/* The rule of a register, or NULL if it is not followed. */
static struct frame_saved *saved_register(struct program_run *run, struct frame_state *state, uint64_t number)
{
	if (number == run->common->return_register)
		return &state->ra;
	return number == run->numbers->fp ? &state->fp : NULL;
}

static void set_rule(struct program_run *run, uint64_t number, enum frame_rule rule, int32_t offset)
{
	struct frame_saved *rules = saved_register(run, &run->state, number);

	if (rules != NULL)
		*rules = (struct frame_saved){rule, offset};
}

static void save_register(struct program_run *run, const uint64_t *operands)
{
	int64_t offset = (int64_t)(operands[1] * run->common->data_factor);
	bool fits = offset >= INT32_MIN && offset <= INT32_MAX;

	set_rule(run, operands[0], fits ? FRAME_SAVED : FRAME_UNKNOWN, fits ? (int32_t)offset : 0);
}

static void save_negative(struct program_run *run, const uint64_t *operands)
{
	save_register(run, (uint64_t[]){operands[0], 0 - operands[1]});
}

/* A register with a rule that is not followed: its value is in another register, or computed. */
static void lose_register(struct program_run *run, const uint64_t *operands)
{
	set_rule(run, operands[0], FRAME_UNKNOWN, 0);
}

static void undefine_register(struct program_run *run, const uint64_t *operands)
{
	set_rule(run, operands[0], FRAME_NONE, 0);
}

static void keep_register(struct program_run *run, const uint64_t *operands)
{
	bool is_return = operands[0] == run->common->return_register;

	set_rule(run, operands[0], is_return ? rule_without_save(run->common, run->numbers) : FRAME_SAME, 0);
}

/* Returns to the rule of the CIE. */
static void restore_register(struct program_run *run, const uint64_t *operands)
{
	struct frame_state initial = run->initial == NULL ? run->state : *run->initial;
	const struct frame_saved *rules = saved_register(run, &initial, operands[0]);

	if (run->initial == NULL)
		stop_program(run);
	else if (rules != NULL)
		set_rule(run, operands[0], rules->rule, rules->offset);
}

static void remember_state(struct program_run *run, const uint64_t *operands)
{
	(void)operands;
	if (run->remembered_count == REMEMBERED_MAX)
		stop_program(run);
	else
		run->remembered[run->remembered_count++] = run->state;
}

static void restore_state(struct program_run *run, const uint64_t *operands)
{
	(void)operands;
	if (run->remembered_count == 0)
		stop_program(run);
	else
		run->state = run->remembered[--run->remembered_count];
}

static void do_nothing(struct program_run *run, const uint64_t *operands)
{
	(void)run;
	(void)operands;
}

/* --- Instructions. */

enum operand {
	NONE,
	UNSIGNED, /* LEB128 */
	SIGNED,
	BYTES_1,
	BYTES_2,
	BYTES_4,
	BYTES_8,
	ADDRESS,
	BLOCK, /* skipped */
};

static const struct frame_operation {
	void (*apply)(struct program_run *run, const uint64_t *operands); /* NULL: unknown */
	uint8_t operands[2];
} operations[0x40] = {
        [DW_CFA_nop] = {do_nothing, {NONE}},
        [DW_CFA_set_loc] = {set_location, {ADDRESS}},
        [DW_CFA_advance_loc1] = {advance_location, {BYTES_1}},
        [DW_CFA_advance_loc2] = {advance_location, {BYTES_2}},
        [DW_CFA_advance_loc4] = {advance_location, {BYTES_4}},
        [DW_CFA_MIPS_advance_loc8] = {advance_location, {BYTES_8}},
        [DW_CFA_offset_extended] = {save_register, {UNSIGNED, UNSIGNED}},
        [DW_CFA_offset_extended_sf] = {save_register, {UNSIGNED, SIGNED}},
        [DW_CFA_GNU_negative_offset_extended] = {save_negative, {UNSIGNED, UNSIGNED}},
        [DW_CFA_restore_extended] = {restore_register, {UNSIGNED}},
        [DW_CFA_undefined] = {undefine_register, {UNSIGNED}},
        [DW_CFA_same_value] = {keep_register, {UNSIGNED}},
        [DW_CFA_register] = {lose_register, {UNSIGNED, UNSIGNED}},
        [DW_CFA_val_offset] = {lose_register, {UNSIGNED, UNSIGNED}},
        [DW_CFA_val_offset_sf] = {lose_register, {UNSIGNED, SIGNED}},
        [DW_CFA_expression] = {lose_register, {UNSIGNED, BLOCK}},
        [DW_CFA_val_expression] = {lose_register, {UNSIGNED, BLOCK}},
        [DW_CFA_remember_state] = {remember_state, {NONE}},
        [DW_CFA_restore_state] = {restore_state, {NONE}},
        [DW_CFA_def_cfa] = {define_base, {UNSIGNED, UNSIGNED}},
        [DW_CFA_def_cfa_sf] = {define_factored_base, {UNSIGNED, SIGNED}},
        [DW_CFA_def_cfa_register] = {set_base, {UNSIGNED}},
        [DW_CFA_def_cfa_offset] = {set_offset, {UNSIGNED}},
        [DW_CFA_def_cfa_offset_sf] = {set_factored_offset, {SIGNED}},
        [DW_CFA_def_cfa_expression] = {define_expression, {BLOCK}},
        [DW_CFA_GNU_args_size] = {do_nothing, {UNSIGNED}},
};

/* Reads an operand; 0 if there is none. */
static uint64_t read_operand(struct program_run *run, struct dwarf_cursor *cursor, enum operand operand)
{
	uint64_t address = 0;

	if (operand == NONE)
		return 0;
	if (operand == SIGNED)
		return frame_read_signed(cursor);
	if (operand == UNSIGNED)
		return dwarf_read_leb128(cursor);
	if (operand == BLOCK)
		dwarf_skip(cursor, dwarf_read_leb128(cursor));
	else if (operand != ADDRESS)
		return dwarf_read_number(cursor, 1u << (operand - BYTES_1));
	else if (!frame_read_address(run->section, cursor, run->common->encoding, &address))
		stop_program(run);
	return address;
}

/* An instruction with an operand in its low six bits: its high two bits, which are not 0, are the opcode. */
static void run_short(struct program_run *run, struct dwarf_cursor *cursor, uint8_t opcode)
{
	uint64_t operands[2] = {opcode & 0x3Fu, 0};

	if ((opcode & 0xC0u) == DW_CFA_advance_loc) {
		advance_location(run, operands);
	} else if ((opcode & 0xC0u) == DW_CFA_restore) {
		restore_register(run, operands);
	} else {
		operands[1] = dwarf_read_leb128(cursor);
		save_register(run, operands);
	}
	if (cursor->is_truncated)
		stop_program(run);
}

static void run_instruction(struct program_run *run, struct dwarf_cursor *cursor)
{
	uint8_t opcode = (uint8_t)dwarf_read_number(cursor, 1);

	if (opcode >= DW_CFA_advance_loc) {
		run_short(run, cursor, opcode);
		return;
	}
	const struct frame_operation *operation = &operations[opcode];
	const uint64_t first = read_operand(run, cursor, operation->operands[0]);
	const uint64_t operands[2] = {first, read_operand(run, cursor, operation->operands[1])};
	if (operation->apply == NULL || cursor->is_truncated)
		stop_program(run);
	else if (!run->is_stopped)
		operation->apply(run, operands);
}

static void run_program(struct program_run *run, struct dwarf_cursor cursor)
{
	while (!run->is_stopped && dwarf_cursor_left(&cursor) > 0)
		run_instruction(run, &cursor);
}

bool frame_program_begin(const struct frame_section *section, const struct frame_common *common,
                         const struct frame_numbers *numbers, struct frame_state *initial)
{
	struct program_run run = {
	        .section = section,
	        .common = common,
	        .numbers = numbers,
	        .state = {.base = FRAME_NO_BASE, .ra = {.rule = rule_without_save(common, numbers)}},
	};

	run_program(&run, common->program);
	*initial = run.state;
	return !run.is_stopped;
}

void frame_program_run(const struct frame_section *section, const struct frame_entry *entry,
                       const struct frame_numbers *numbers, const struct frame_state *initial, frame_state_found found,
                       void *context)
{
	struct program_run run = {
	        .section = section,
	        .common = &section->commons[entry->common],
	        .numbers = numbers,
	        .initial = initial,
	        .state = *initial,
	        .location = entry->low,
	        .high = entry->high,
	        .found = found,
	        .context = context,
	};

	run_program(&run, entry->program);
	if (!run.is_stopped)
		move_to(&run, run.high);
}

struct frame_row frame_state_row(const struct frame_state *state, const struct frame_numbers *numbers)
{
	bool fits = state->offset >= INT32_MIN && state->offset <= INT32_MAX;
	struct frame_row row = {
	        .base = FRAME_FROM_UNKNOWN,
	        .ra = (uint8_t)state->ra.rule,
	        .fp = (uint8_t)state->fp.rule,
	        .ra_offset = state->ra.offset,
	        .fp_offset = state->fp.offset,
	};

	if (state->is_expression || !fits || (state->base != numbers->sp && state->base != numbers->fp))
		return row;
	row.base = state->base == numbers->sp ? FRAME_FROM_SP : FRAME_FROM_FP;
	row.offset = (int32_t)state->offset;
	return row;
}
