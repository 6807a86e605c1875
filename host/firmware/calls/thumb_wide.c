/* SPDX-License-Identifier: MIT */
/* 32-bit Thumb instructions (Armv8-M ARM DDI0553, C2.3). */
#include "firmware/calls/thumb_step.h"

static unsigned destination_register(uint32_t code)
{
	return FIELD(code, 8, 4);
}

static void writes_destination(const struct thumb_step *step)
{
	thumb_forget(step, destination_register(step->code));
}

/* B.W and BL: S:I1:I2:imm10:imm11:0, where I is NOT(J EOR S). */
static uint64_t long_offset(uint32_t code)
{
	uint32_t sign = FIELD(code, 26, 1);
	uint32_t i1 = ~(FIELD(code, 13, 1) ^ sign) & 1, i2 = ~(FIELD(code, 11, 1) ^ sign) & 1;

	return sign_extended(
	        sign << 24 | i1 << 23 | i2 << 22 | moved_bits(code, 16, 12, 10) | moved_bits(code, 0, 1, 11), 25);
}

static void decode_call(const struct thumb_step *step)
{
	transfer_from_pc(step, FLOW_CALL, long_offset(step->code));
	thumb_forget(step, LR);
}

/* BLX to A32 code is relative to the aligned PC. */
static void decode_call_a32(const struct thumb_step *step)
{
	uint64_t target = word_aligned(step->pc) + long_offset(step->code);

	transfer_to(step->instruction, FLOW_CALL, wrap_to_32_bits(target));
	thumb_forget(step, LR);
}

static void decode_long_branch(const struct thumb_step *step)
{
	transfer_from_pc(step, FLOW_JUMP, long_offset(step->code));
}

/* B<c>.W: S:J2:J1:imm6:imm11:0. */
static void decode_long_conditional_branch(const struct thumb_step *step)
{
	uint32_t code = step->code;
	uint32_t offset = moved_bits(code, 26, 20, 1) | moved_bits(code, 11, 19, 1) | moved_bits(code, 13, 18, 1) |
	                  moved_bits(code, 16, 12, 6) | moved_bits(code, 0, 1, 11);

	transfer_from_pc(step, FLOW_BRANCH, sign_extended(offset, 21));
}

/* Low-overhead loops of Armv8.1-M (C2.4.103 LE, C2.4.302 WLS): LE branches back to the loop, WLS to its end. The
 * distance in bytes is immh:imml:0, with imml in bit 11. */
static void decode_loop(const struct thumb_step *step)
{
	uint64_t distance = moved_bits(step->code, 1, 2, 10) | moved_bits(step->code, 11, 1, 1);
	bool is_start = FIELD(step->code, 13, 1) != 0; /* otherwise DLS, LCTP and branch-future instructions */

	thumb_forget(step, LR);
	if (!is_start)
		transfer_from_pc(step, FLOW_BRANCH, FIELD(step->code, 16, 4) == 15 ? 0 - distance : distance);
}

static uint64_t wide_immediate(uint32_t code)
{
	return moved_bits(code, 16, 12, 4) | moved_bits(code, 26, 11, 1) | moved_bits(code, 12, 8, 3) |
	       FIELD(code, 0, 8);
}

static void decode_move_wide(const struct thumb_step *step)
{
	thumb_set(step, destination_register(step->code), wide_immediate(step->code));
}

static void decode_move_top(const struct thumb_step *step)
{
	unsigned number = destination_register(step->code);

	if (register_is_known(step->registers, number))
		set_constant(step, number,
		             (step->registers->values[number] & UINT16_MAX) | wide_immediate(step->code) << 16);
}

static void decode_wide_address(const struct thumb_step *step)
{
	uint64_t distance = wide_immediate(step->code & 0xFFF0FFFF);
	bool is_before = FIELD(step->code, 23, 1) != 0;

	set_constant(step, destination_register(step->code),
	             word_aligned(step->pc) + (is_before ? 0 - distance : distance));
}

static void decode_move_wide_register(const struct thumb_step *step)
{
	copy_register(step->registers, destination_register(step->code), FIELD(step->code, 0, 4));
}

static void decode_wide_load_literal(const struct thumb_step *step)
{
	uint64_t distance = FIELD(step->code, 0, 12);
	bool is_after = FIELD(step->code, 23, 1) != 0;

	load_literal(step, FIELD(step->code, 12, 4), word_aligned(step->pc) + (is_after ? distance : 0 - distance));
}

/* LDR to PC, TBB, TBH. */
static void decode_jump_through_memory(const struct thumb_step *step)
{
	step->instruction->flow = FLOW_JUMP;
	if (step->code == 0xF85DFB04) /* POP {PC}, as LDR PC, [SP], #4 */
		step->instruction->returns = RETURN_FROM_STACK;
}

/* LDM, STM, POP.W, PUSH.W. */
static void decode_wide_multiple(const struct thumb_step *step)
{
	bool is_stack = FIELD(step->code, 16, 4) == SP;

	thumb_forget(step, FIELD(step->code, 16, 4));
	if (FIELD(step->code, 20, 1) == 0) {
		step->instruction->pushes_link = is_stack && FIELD(step->code, LR, 1) != 0;
		return;
	}
	forget_list(step, FIELD(step->code, 0, 16));
	if (FIELD(step->code, PC, 1) == 0)
		return;
	step->instruction->flow = FLOW_JUMP;
	step->instruction->returns = is_stack ? RETURN_FROM_STACK : RETURN_NONE;
}

/* LDRD, STRD and exclusives: any of these registers may be written. */
static void decode_pair(const struct thumb_step *step)
{
	thumb_forget(step, FIELD(step->code, 0, 4));
	thumb_forget(step, FIELD(step->code, 8, 4));
	thumb_forget(step, FIELD(step->code, 12, 4));
	thumb_forget(step, FIELD(step->code, 16, 4));
	step->instruction->pushes_link = (step->code & 0xFFFF0F00) == 0xE96D0E00; /* STRD Rt, LR, [SP, #-n]! */
}

/* ORRS, whose encodings include the register-pair shifts of Armv8.1-M. */
static void decode_or_long_shift(const struct thumb_step *step)
{
	thumb_forget(step, FIELD(step->code, 16, 4));
	thumb_forget(step, FIELD(step->code, 16, 4) & ~1u);
	thumb_forget(step, destination_register(step->code));
	thumb_forget(step, destination_register(step->code) | 1);
}

static void decode_long_multiply(const struct thumb_step *step)
{
	thumb_forget(step, FIELD(step->code, 12, 4));
	writes_destination(step);
}

/* A store or load updates its base if bits 11 and 8 are set and the offset has eight bits. */
static void decode_load_store(const struct thumb_step *step)
{
	bool is_load = FIELD(step->code, 20, 1) != 0;
	bool moves_base = FIELD(step->code, 23, 1) == 0 && FIELD(step->code, 11, 1) != 0;

	step->instruction->pushes_link = step->code == 0xF84DED04; /* PUSH {LR}, as STR LR, [SP, #-4]! */
	if (is_load)
		thumb_forget(step, FIELD(step->code, 12, 4));
	if (moves_base)
		thumb_forget(step, FIELD(step->code, 16, 4));
}

/* VMOV and VMRS write at most these two registers; VLDM and VSTM may update the second. */
static void decode_floating_point(const struct thumb_step *step)
{
	thumb_forget(step, FIELD(step->code, 12, 4));
	thumb_forget(step, FIELD(step->code, 16, 4));
}

const struct pattern thumb_wide[] = {
        {0xF800D000, 0xF000D000, 0x07FF2FFF, decode_call},
        {0xF800D001, 0xF000C000, 0x07FF2FFF, decode_call_a32},
        {0xF800D001, 0xF000C001, 0x00000FFE, decode_loop},
        {0xF800D000, 0xF0009000, 0x07FF2FFF, decode_long_branch},
        {0xFB80D000, 0xF3808000, 0, writes_destination}, /* MSR, MRS, hints, barriers */
        {0xF800D000, 0xF0008000, 0x043F2FFF, decode_long_conditional_branch},
        {0xFBF08000, 0xF2400000, 0, decode_move_wide},
        {0xFBF08000, 0xF2C00000, 0x040F70FF, decode_move_top},
        {0xFBFF8000, 0xF20F0000, 0x040070FF, decode_wide_address},
        {0xFBFF8000, 0xF2AF0000, 0x040070FF, decode_wide_address},
        {0xFF7F0000, 0xF85F0000, 0x00800FFF, decode_wide_load_literal},
        {0xFE1F0000, 0xF81F0000, 0x00800FFF, decode_load_store}, /* LDRB literal and others */
        {0xFF70F000, 0xF850F000, 0, decode_jump_through_memory}, /* LDR to PC */
        {0xFFF0FFE0, 0xE8D0F000, 0, decode_jump_through_memory}, /* TBB, TBH */
        {0xFE400000, 0xE8000000, 0, decode_wide_multiple},
        {0xFFFFFFFF, 0xE97FE97F, 0, writes_nothing},       /* SG */
        {0xFF7F0000, 0xE95F0000, 0x008000FF, decode_pair}, /* LDRD literal */
        {0xFE400000, 0xE8400000, 0, decode_pair},
        {0xFFFFF0F0, 0xEA4F0000, 0, decode_move_wide_register},
        {0xFFF00000, 0xEA500000, 0, decode_or_long_shift},
        {0xFF3F0E00, 0xED1F0A00, 0x008000FF, decode_floating_point}, /* VLDR literal */
        {0xEC000E00, 0xEC000A00, 0, decode_floating_point},
        {0xEC000000, 0xEC000000, 0, writes_anything}, /* coprocessor and vector instructions */
        {0xFE000000, 0xF8000000, 0, decode_load_store},
        {0xFF800000, 0xFB800000, 0, decode_long_multiply},
        {0x00000000, 0x00000000, 0, writes_destination},
};
