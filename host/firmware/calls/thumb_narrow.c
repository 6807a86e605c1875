/* SPDX-License-Identifier: MIT */
/* 16-bit Thumb instructions (Armv8-M ARM DDI0553, C2.2.2 and following). */
#include "firmware/calls/thumb_step.h"

/* A jump or call through a register, with a target if its value is known. */
static void transfer_by_register(const struct thumb_step *step, enum instruction_flow flow, unsigned number)
{
	step->instruction->flow = flow;
	if (register_is_known(step->registers, number))
		transfer_to(step->instruction, flow, step->registers->values[number] & ~UINT64_C(1));
}

static void writes_low(const struct thumb_step *step)
{
	thumb_forget(step, FIELD(step->code, 0, 3));
}

static void writes_middle(const struct thumb_step *step)
{
	thumb_forget(step, FIELD(step->code, 8, 3));
}

static void decode_shift_left(const struct thumb_step *step)
{
	unsigned to = FIELD(step->code, 0, 3), from = FIELD(step->code, 3, 3);

	copy_register(step->registers, to, from);
	if (register_is_known(step->registers, to))
		thumb_set(step, to, step->registers->values[to] << FIELD(step->code, 6, 5));
}

static void decode_move_immediate(const struct thumb_step *step)
{
	thumb_set(step, FIELD(step->code, 8, 3), FIELD(step->code, 0, 8));
}

static void decode_add_immediate(const struct thumb_step *step)
{
	unsigned number = FIELD(step->code, 8, 3);

	if (register_is_known(step->registers, number))
		set_constant(step, number, step->registers->values[number] + FIELD(step->code, 0, 8));
}

static unsigned high_register(uint32_t code)
{
	return moved_bits(code, 7, 3, 1) | FIELD(code, 0, 3);
}

static void decode_add_register(const struct thumb_step *step)
{
	unsigned to = high_register(step->code);
	bool is_relative = FIELD(step->code, 3, 4) == PC && register_is_known(step->registers, to);

	if (to == PC)
		step->instruction->flow = FLOW_JUMP;
	else if (is_relative)
		set_constant(step, to, step->registers->values[to] + step->pc);
	else
		thumb_forget(step, to);
}

static void decode_move_register(const struct thumb_step *step)
{
	unsigned to = high_register(step->code), from = FIELD(step->code, 3, 4);

	if (to == PC)
		transfer_by_register(step, FLOW_JUMP, from);
	if (to == PC && from == LR)
		step->instruction->returns = RETURN_BY_LINK;
	if (to != PC)
		copy_register(step->registers, to, from);
}

/* BX PC switches to A32 (DDI0406, A8.8.18 B, A8.8.64 LDR literal). */
static void decode_switch_to_a32(const struct thumb_step *step)
{
	uint64_t offset = word_aligned(step->pc) - step->place->address;
	uint64_t pc = word_aligned(step->pc) + 8, value;
	uint32_t word;

	step->instruction->flow = FLOW_JUMP;
	if (!read_word(step->place, offset, &word))
		return;
	if (word >> 24 == 0xEA)
		transfer_to(step->instruction, FLOW_JUMP,
		            wrap_to_32_bits(pc + sign_extended(moved_bits(word, 0, 2, 24), 26)));
	else if (word == 0xE51FF004 && read_literal(step->place->image, wrap_to_32_bits(pc - 4), &value))
		transfer_to(step->instruction, FLOW_JUMP, value & ~UINT64_C(1));
}

/* BXNS and BLXNS leave the Secure state, and so this image. */
static void decode_exchange(const struct thumb_step *step)
{
	enum instruction_flow flow = FIELD(step->code, 7, 1) != 0 ? FLOW_CALL : FLOW_JUMP;
	bool is_non_secure = FIELD(step->code, 2, 1) != 0;

	step->instruction->flow = flow;
	if (flow == FLOW_JUMP && FIELD(step->code, 3, 4) == LR)
		step->instruction->returns = RETURN_BY_LINK;
	if (step->code == 0x4778)
		decode_switch_to_a32(step);
	else if (!is_non_secure)
		transfer_by_register(step, flow, FIELD(step->code, 3, 4));
	if (flow == FLOW_CALL)
		thumb_forget(step, LR);
}

static void decode_load_literal(const struct thumb_step *step)
{
	load_literal(step, FIELD(step->code, 8, 3), word_aligned(step->pc) + moved_bits(step->code, 0, 2, 8));
}

static void decode_address(const struct thumb_step *step)
{
	set_constant(step, FIELD(step->code, 8, 3), word_aligned(step->pc) + moved_bits(step->code, 0, 2, 8));
}

static void decode_push(const struct thumb_step *step)
{
	step->instruction->pushes_link = FIELD(step->code, 8, 1) != 0;
}

static void decode_pop(const struct thumb_step *step)
{
	forget_list(step, FIELD(step->code, 0, 8));
	if (FIELD(step->code, 8, 1) == 0)
		return;
	step->instruction->flow = FLOW_JUMP;
	step->instruction->returns = RETURN_FROM_STACK;
}

/* Also stores may update the base register. */
static void decode_multiple(const struct thumb_step *step)
{
	writes_middle(step);
	if (FIELD(step->code, 11, 1) != 0)
		forget_list(step, FIELD(step->code, 0, 8));
}

static void decode_branch_on_zero(const struct thumb_step *step)
{
	transfer_from_pc(step, FLOW_BRANCH, moved_bits(step->code, 9, 6, 1) | moved_bits(step->code, 3, 1, 5));
}

static void decode_if_then(const struct thumb_step *step)
{
	/* The lowest set bit of the mask ends a block of one to four instructions; an empty mask means a hint. */
	unsigned mask = FIELD(step->code, 0, 4), count = mask == 0 ? 0 : 4;

	for (; count > 0 && (mask & 1) == 0; mask >>= 1)
		count--;
	step->registers->conditional = count;
}

static void decode_conditional_branch(const struct thumb_step *step)
{
	transfer_from_pc(step, FLOW_BRANCH, sign_extended(moved_bits(step->code, 0, 1, 8), 9));
}

static void decode_branch(const struct thumb_step *step)
{
	transfer_from_pc(step, FLOW_JUMP, sign_extended(moved_bits(step->code, 0, 1, 11), 12));
}

const struct pattern thumb_narrow[] = {
        {0xF800, 0x0000, 0, decode_shift_left},
        {0xF800, 0x2000, 0, decode_move_immediate},
        {0xF800, 0x2800, 0, writes_nothing}, /* CMP */
        {0xF800, 0x3000, 0, decode_add_immediate},
        {0xF800, 0x3800, 0, writes_middle}, /* SUBS */
        {0xFF00, 0x4400, 0, decode_add_register},
        {0xFF00, 0x4500, 0, writes_nothing}, /* CMP */
        {0xFF00, 0x4600, 0, decode_move_register},
        {0xFF00, 0x4700, 0, decode_exchange},
        {0xF800, 0x4800, 0x00FF, decode_load_literal},
        {0xFC00, 0x5000, 0, writes_nothing}, /* STR, STRH */
        {0xFE00, 0x5400, 0, writes_nothing}, /* STRB */
        {0xE800, 0x6000, 0, writes_nothing}, /* STR, STRB */
        {0xF800, 0x8000, 0, writes_nothing}, /* STRH */
        {0xF800, 0x9000, 0, writes_nothing}, /* STR to the stack */
        {0xF800, 0x9800, 0, writes_middle},  /* LDR from the stack */
        {0xF800, 0xA000, 0x00FF, decode_address},
        {0xF800, 0xA800, 0, writes_middle},  /* ADD to SP */
        {0xFF00, 0xB000, 0, writes_nothing}, /* ADD, SUB of SP */
        {0xF500, 0xB100, 0x02F8, decode_branch_on_zero},
        {0xFE00, 0xB400, 0, decode_push},
        {0xFF00, 0xB600, 0, writes_nothing}, /* CPS */
        {0xFE00, 0xBC00, 0, decode_pop},
        {0xFF00, 0xBE00, 0, writes_nothing}, /* BKPT */
        {0xFF00, 0xBF00, 0, decode_if_then},
        {0xF000, 0xC000, 0, decode_multiple},
        {0xFF00, 0xDE00, 0, writes_nothing},  /* UDF */
        {0xFF00, 0xDF00, 0, writes_anything}, /* SVC */
        {0xF000, 0xD000, 0x00FF, decode_conditional_branch},
        {0xF800, 0xE000, 0x07FF, decode_branch},
        {0x0000, 0x0000, 0, writes_low},
};
