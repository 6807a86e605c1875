/* SPDX-License-Identifier: MIT */
/*
 * Thumb and Thumb-2, Armv4T to Armv8.1-M (Armv8-M ARM DDI0553, C2.2 "Top level T32 instruction set encoding"; Armv7-A
 * ARM DDI0406, A6). Two tables of what matters to calls; of all other instructions only which register they may write.
 * Instructions are little-endian also in big-endian firmware (BE8). Of A32 it knows what veneers jump with.
 */
#include "calls/decoder.h"
#include "image/bits.h"

#define LR 14u
#define PC 15u

#define FIELD(code, low, count) ((code) >> (low) & ((1u << (count)) - 1))

/* One instruction at work. */
struct step {
	const struct code_place *place;
	struct known_registers *registers;
	struct instruction *instruction;
	uint32_t code; /* of a wide instruction the first half-word is the upper half */
	uint64_t pc;   /* as the instruction reads it */
};

struct pattern {
	uint32_t mask, bits;
	void (*decode)(const struct step *step);
};

static uint64_t in_address_space(uint64_t address)
{
	return address & UINT32_MAX;
}

static void lead(const struct step *step, enum instruction_flow flow, uint64_t offset)
{
	lead_to(step->instruction, flow, in_address_space(step->pc + offset));
}

/* To where register says, if that is known. */
static void lead_through(const struct step *step, enum instruction_flow flow, unsigned number)
{
	step->instruction->flow = flow;
	if (is_known(step->registers, number))
		lead_to(step->instruction, flow, step->registers->values[number] & ~UINT64_C(1));
}

static void set(const struct step *step, unsigned number, uint64_t value)
{
	set_register(step->registers, number, in_address_space(value));
}

/* The value may be an address that is complete now. */
static void set_constant(const struct step *step, unsigned number, uint64_t value)
{
	set(step, number, value);
	step->instruction->has_constant = true;
	step->instruction->constant = in_address_space(value);
}

static void forget(const struct step *step, unsigned number)
{
	forget_register(step->registers, number);
}

static void forget_list(const struct step *step, uint32_t list)
{
	step->registers->known &= ~list;
}

static uint64_t aligned(uint64_t pc)
{
	return pc & ~UINT64_C(3);
}

static void load_literal(const struct step *step, unsigned number, uint64_t address)
{
	uint64_t value;
	forget(step, number);
	if (number == PC)
		step->instruction->flow = FLOW_JUMP;
	if (!read_literal(step->place->image, in_address_space(address), &value))
		return;
	if (number == PC)
		lead_to(step->instruction, FLOW_JUMP, value & ~UINT64_C(1));
	else
		set(step, number, value);
}

/* --- Narrow: one half-word. */

static void writes_nothing(const struct step *step)
{
	(void)step;
}

static void writes_low(const struct step *step)
{
	forget(step, FIELD(step->code, 0, 3));
}

static void writes_middle(const struct step *step)
{
	forget(step, FIELD(step->code, 8, 3));
}

static void decode_shift_left(const struct step *step)
{
	unsigned to = FIELD(step->code, 0, 3), from = FIELD(step->code, 3, 3);
	copy_register(step->registers, to, from);
	if (is_known(step->registers, to))
		set(step, to, step->registers->values[to] << FIELD(step->code, 6, 5));
}

static void decode_move_immediate(const struct step *step)
{
	set(step, FIELD(step->code, 8, 3), FIELD(step->code, 0, 8));
}

static void decode_add_immediate(const struct step *step)
{
	unsigned number = FIELD(step->code, 8, 3);
	if (is_known(step->registers, number))
		set_constant(step, number, step->registers->values[number] + FIELD(step->code, 0, 8));
}

static unsigned high_register(uint32_t code)
{
	return moved_bits(code, 7, 3, 1) | FIELD(code, 0, 3);
}

static void decode_add_register(const struct step *step)
{
	unsigned to = high_register(step->code);
	bool is_relative = FIELD(step->code, 3, 4) == PC && is_known(step->registers, to);
	if (to == PC)
		step->instruction->flow = FLOW_JUMP;
	else if (is_relative)
		set_constant(step, to, step->registers->values[to] + step->pc);
	else
		forget(step, to);
}

static void decode_move_register(const struct step *step)
{
	unsigned to = high_register(step->code), from = FIELD(step->code, 3, 4);
	if (to == PC)
		lead_through(step, FLOW_JUMP, from);
	else
		copy_register(step->registers, to, from);
}

/* What Thumb jumps to by BX PC is A32 (DDI0406, A8.8.18 B, A8.8.64 LDR literal). */
static void decode_switch_to_a32(const struct step *step)
{
	uint64_t offset = aligned(step->pc) - step->place->address;
	uint64_t pc = aligned(step->pc) + 8, value;
	uint32_t word;
	step->instruction->flow = FLOW_JUMP;
	if (!read_word(step->place, offset, &word))
		return;
	if (word >> 24 == 0xEA)
		lead_to(step->instruction, FLOW_JUMP,
		        in_address_space(pc + sign_extended(moved_bits(word, 0, 2, 24), 26)));
	else if (word == 0xE51FF004 && read_literal(step->place->image, in_address_space(pc - 4), &value))
		lead_to(step->instruction, FLOW_JUMP, value & ~UINT64_C(1));
}

/* BXNS and BLXNS lead out of the Secure world, whose code this is. */
static void decode_exchange(const struct step *step)
{
	enum instruction_flow flow = FIELD(step->code, 7, 1) != 0 ? FLOW_CALL : FLOW_JUMP;
	bool is_non_secure = FIELD(step->code, 2, 1) != 0;
	step->instruction->flow = flow;
	if (step->code == 0x4778)
		decode_switch_to_a32(step);
	else if (!is_non_secure)
		lead_through(step, flow, FIELD(step->code, 3, 4));
}

static void decode_load_literal(const struct step *step)
{
	load_literal(step, FIELD(step->code, 8, 3), aligned(step->pc) + moved_bits(step->code, 0, 2, 8));
}

static void decode_address(const struct step *step)
{
	set_constant(step, FIELD(step->code, 8, 3), aligned(step->pc) + moved_bits(step->code, 0, 2, 8));
}

static void decode_pop(const struct step *step)
{
	forget_list(step, FIELD(step->code, 0, 8));
	if (FIELD(step->code, 8, 1) != 0)
		step->instruction->flow = FLOW_JUMP;
}

/* Also what is stored through a register may move it. */
static void decode_multiple(const struct step *step)
{
	writes_middle(step);
	if (FIELD(step->code, 11, 1) != 0)
		forget_list(step, FIELD(step->code, 0, 8));
}

static void decode_branch_on_zero(const struct step *step)
{
	lead(step, FLOW_BRANCH, moved_bits(step->code, 9, 6, 1) | moved_bits(step->code, 3, 1, 5));
}

static void decode_if_then(const struct step *step)
{
	/* The lowest set bit of the mask ends the block of one to four instructions; no mask, no block: a hint. */
	unsigned mask = FIELD(step->code, 0, 4), count = mask == 0 ? 0 : 4;
	for (; count > 0 && (mask & 1) == 0; mask >>= 1)
		count--;
	step->registers->conditional = count;
}

static void decode_supervisor_call(const struct step *step)
{
	forget_all(step->registers);
}

static void decode_conditional_branch(const struct step *step)
{
	lead(step, FLOW_BRANCH, sign_extended(moved_bits(step->code, 0, 1, 8), 9));
}

static void decode_branch(const struct step *step)
{
	lead(step, FLOW_JUMP, sign_extended(moved_bits(step->code, 0, 1, 11), 12));
}

/* The first that matches counts. */
static const struct pattern narrow[] = {
        {0xF800, 0x0000, decode_shift_left},
        {0xF800, 0x2000, decode_move_immediate},
        {0xF800, 0x2800, writes_nothing}, /* CMP */
        {0xF800, 0x3000, decode_add_immediate},
        {0xF800, 0x3800, writes_middle}, /* SUBS */
        {0xFF00, 0x4400, decode_add_register},
        {0xFF00, 0x4500, writes_nothing}, /* CMP */
        {0xFF00, 0x4600, decode_move_register},
        {0xFF00, 0x4700, decode_exchange},
        {0xF800, 0x4800, decode_load_literal},
        {0xFC00, 0x5000, writes_nothing}, /* STR, STRH */
        {0xFE00, 0x5400, writes_nothing}, /* STRB */
        {0xE800, 0x6000, writes_nothing}, /* STR, STRB */
        {0xF800, 0x8000, writes_nothing}, /* STRH */
        {0xF800, 0x9000, writes_nothing}, /* STR to the stack */
        {0xF800, 0x9800, writes_middle},  /* LDR from the stack */
        {0xF800, 0xA000, decode_address},
        {0xF800, 0xA800, writes_middle},  /* ADD to SP */
        {0xFF00, 0xB000, writes_nothing}, /* ADD, SUB of SP */
        {0xF500, 0xB100, decode_branch_on_zero},
        {0xFE00, 0xB400, writes_nothing}, /* PUSH */
        {0xFF00, 0xB600, writes_nothing}, /* CPS */
        {0xFE00, 0xBC00, decode_pop},
        {0xFF00, 0xBE00, writes_nothing}, /* BKPT */
        {0xFF00, 0xBF00, decode_if_then},
        {0xF000, 0xC000, decode_multiple},
        {0xFF00, 0xDE00, writes_nothing}, /* UDF */
        {0xFF00, 0xDF00, decode_supervisor_call},
        {0xF000, 0xD000, decode_conditional_branch},
        {0xF800, 0xE000, decode_branch},
        {0x0000, 0x0000, writes_low},
};

/* --- Wide: two half-words. */

static unsigned destination(uint32_t code)
{
	return FIELD(code, 8, 4);
}

static void writes_destination(const struct step *step)
{
	forget(step, destination(step->code));
}

/* B.W and BL: S:I1:I2:imm10:imm11:0, where I is NOT(J EOR S). */
static uint64_t long_offset(uint32_t code)
{
	uint32_t sign = FIELD(code, 26, 1);
	uint32_t i1 = ~(FIELD(code, 13, 1) ^ sign) & 1, i2 = ~(FIELD(code, 11, 1) ^ sign) & 1;
	return sign_extended(
	        sign << 24 | i1 << 23 | i2 << 22 | moved_bits(code, 16, 12, 10) | moved_bits(code, 0, 1, 11), 25);
}

static void decode_call(const struct step *step)
{
	lead(step, FLOW_CALL, long_offset(step->code));
}

/* BLX to A32 code counts from the aligned PC. */
static void decode_call_a32(const struct step *step)
{
	uint64_t target = aligned(step->pc) + long_offset(step->code);
	lead_to(step->instruction, FLOW_CALL, in_address_space(target));
}

static void decode_long_branch(const struct step *step)
{
	lead(step, FLOW_JUMP, long_offset(step->code));
}

/* B<c>.W: S:J2:J1:imm6:imm11:0. Conditions 14 and 15 are MSR, MRS, hints and barriers. */
static void decode_long_conditional_branch(const struct step *step)
{
	uint32_t code = step->code;
	uint32_t offset = moved_bits(code, 26, 20, 1) | moved_bits(code, 11, 19, 1) | moved_bits(code, 13, 18, 1) |
	                  moved_bits(code, 16, 12, 6) | moved_bits(code, 0, 1, 11);
	if (FIELD(code, 23, 3) == 7)
		writes_destination(step);
	else
		lead(step, FLOW_BRANCH, sign_extended(offset, 21));
}

/*
 * Low-overhead loops of Armv8.1-M (C2.4.103 LE, C2.4.302 WLS): LE leads back to the loop, WLS past it. The number of
 * bytes is immh:imml:0, with imml in bit 11.
 */
static void decode_loop(const struct step *step)
{
	uint64_t distance = moved_bits(step->code, 1, 2, 10) | moved_bits(step->code, 11, 1, 1);
	bool is_start = FIELD(step->code, 13, 1) != 0; /* DLS, LCTP and the branches of the future */
	forget(step, LR);
	if (!is_start)
		lead(step, FLOW_BRANCH, FIELD(step->code, 16, 4) == 15 ? 0 - distance : distance);
}

static uint64_t wide_immediate(uint32_t code)
{
	return moved_bits(code, 16, 12, 4) | moved_bits(code, 26, 11, 1) | moved_bits(code, 12, 8, 3) |
	       FIELD(code, 0, 8);
}

static void decode_move_wide(const struct step *step)
{
	set(step, destination(step->code), wide_immediate(step->code));
}

static void decode_move_top(const struct step *step)
{
	unsigned number = destination(step->code);
	if (is_known(step->registers, number))
		set_constant(step, number,
		             (step->registers->values[number] & UINT16_MAX) | wide_immediate(step->code) << 16);
}

static void decode_wide_address(const struct step *step)
{
	uint64_t distance = wide_immediate(step->code & 0xFFF0FFFF);
	bool is_before = FIELD(step->code, 23, 1) != 0;
	set_constant(step, destination(step->code), aligned(step->pc) + (is_before ? 0 - distance : distance));
}

static void decode_move_wide_register(const struct step *step)
{
	copy_register(step->registers, destination(step->code), FIELD(step->code, 0, 4));
}

static void decode_wide_load_literal(const struct step *step)
{
	uint64_t distance = FIELD(step->code, 0, 12);
	bool is_behind = FIELD(step->code, 23, 1) != 0;
	load_literal(step, FIELD(step->code, 12, 4), aligned(step->pc) + (is_behind ? distance : 0 - distance));
}

/* LDR to PC, TBB, TBH. */
static void decode_jump_through_memory(const struct step *step)
{
	step->instruction->flow = FLOW_JUMP;
}

/* LDM, STM, POP.W, PUSH.W. */
static void decode_wide_multiple(const struct step *step)
{
	forget(step, FIELD(step->code, 16, 4));
	if (FIELD(step->code, 20, 1) == 0)
		return;
	forget_list(step, FIELD(step->code, 0, 16));
	if (FIELD(step->code, 15, 1) != 0)
		step->instruction->flow = FLOW_JUMP;
}

/* LDRD, STRD and the exclusives: which of these a register is written depends on more than matters here. */
static void decode_pair(const struct step *step)
{
	forget(step, FIELD(step->code, 0, 4));
	forget(step, FIELD(step->code, 8, 4));
	forget(step, FIELD(step->code, 12, 4));
	forget(step, FIELD(step->code, 16, 4));
}

/* ORRS, and among its encodings the shifts of pairs of registers of Armv8.1-M. */
static void decode_or_long_shift(const struct step *step)
{
	forget(step, FIELD(step->code, 16, 4));
	forget(step, FIELD(step->code, 16, 4) & ~1u);
	forget(step, destination(step->code));
	forget(step, destination(step->code) | 1);
}

static void decode_long_multiply(const struct step *step)
{
	forget(step, FIELD(step->code, 12, 4));
	writes_destination(step);
}

/* The base of a store or load moves where bit 11 and bit 8 are set and the offset has eight bits. */
static void decode_load_store(const struct step *step)
{
	bool is_load = FIELD(step->code, 20, 1) != 0;
	bool moves_base = FIELD(step->code, 23, 1) == 0 && FIELD(step->code, 11, 1) != 0;
	if (is_load)
		forget(step, FIELD(step->code, 12, 4));
	if (moves_base)
		forget(step, FIELD(step->code, 16, 4));
}

/* VMOV and VMRS write these two at most, VLDM and VSTM move the second. */
static void decode_floating_point(const struct step *step)
{
	forget(step, FIELD(step->code, 12, 4));
	forget(step, FIELD(step->code, 16, 4));
}

/* Coprocessors and vectors: any register. */
static void decode_coprocessor(const struct step *step)
{
	forget_all(step->registers);
}

/* The first that matches counts. */
static const struct pattern wide[] = {
        {0xF800D000, 0xF000D000, decode_call},
        {0xF800D001, 0xF000C000, decode_call_a32},
        {0xF800D001, 0xF000C001, decode_loop},
        {0xF800D000, 0xF0009000, decode_long_branch},
        {0xF800D000, 0xF0008000, decode_long_conditional_branch},
        {0xFBF08000, 0xF2400000, decode_move_wide},
        {0xFBF08000, 0xF2C00000, decode_move_top},
        {0xFBFF8000, 0xF20F0000, decode_wide_address},
        {0xFBFF8000, 0xF2AF0000, decode_wide_address},
        {0xFF7F0000, 0xF85F0000, decode_wide_load_literal},
        {0xFF70F000, 0xF850F000, decode_jump_through_memory}, /* LDR to PC */
        {0xFFF0FFE0, 0xE8D0F000, decode_jump_through_memory}, /* TBB, TBH */
        {0xFE400000, 0xE8000000, decode_wide_multiple},
        {0xFFFFFFFF, 0xE97FE97F, writes_nothing}, /* SG */
        {0xFE400000, 0xE8400000, decode_pair},
        {0xFFFFF0F0, 0xEA4F0000, decode_move_wide_register},
        {0xFFF00000, 0xEA500000, decode_or_long_shift},
        {0xEC000E00, 0xEC000A00, decode_floating_point},
        {0xEC000000, 0xEC000000, decode_coprocessor},
        {0xFE000000, 0xF8000000, decode_load_store},
        {0xFF800000, 0xFB800000, decode_long_multiply},
        {0x00000000, 0x00000000, writes_destination},
};

/* --- What linkers make veneers of: R0 is saved, IP loaded and jumped to, or PC loaded at once. */

static const struct {
	uint32_t mask, bits;
} veneer_parts[] = {
        {0xFFFFFFFF, 0x0000B401}, /* PUSH {R0} */
        {0xFFFFFF00, 0x00004800}, /* LDR R0, literal */
        {0xFFFFFF00, 0x00002000}, /* MOVS R0 */
        {0xFFFFF83F, 0x00000000}, /* LSLS R0, R0 */
        {0xFFFFFF00, 0x00003000}, /* ADDS R0 */
        {0xFFFFFFFF, 0x00004684}, /* MOV IP, R0 */
        {0xFFFFFFFF, 0x0000BC01}, /* POP {R0} */
        {0xFBF08F00, 0xF2400C00}, /* MOVW IP */
        {0xFBF08F00, 0xF2C00C00}, /* MOVT IP */
        {0xFFFFFFFF, 0x000044FC}, /* ADD IP, PC */
        {0xFFFFFFFF, 0x00004760}, /* BX IP */
        {0xFFFFFFFF, 0x00004778}, /* BX PC */
        {0xFF7FF000, 0xF85FF000}, /* LDR PC, literal */
};

static bool is_veneer_part(uint32_t code)
{
	for (size_t i = 0; i < sizeof veneer_parts / sizeof *veneer_parts; i++)
		if ((code & veneer_parts[i].mask) == veneer_parts[i].bits)
			return true;
	return false;
}

/* --- */

/* The instruction may have been passed over: what it wrote is not known, and it jumps perhaps. */
static void make_conditional(const struct step *step, const struct known_registers *before)
{
	struct known_registers *after = step->registers;
	for (unsigned i = 0; i <= PC; i++)
		if (!is_known(before, i) || before->values[i] != after->values[i])
			forget_register(after, i);
	if (step->instruction->flow == FLOW_JUMP)
		step->instruction->flow = FLOW_BRANCH;
}

static void run(const struct step *step, const struct pattern *pattern)
{
	while ((step->code & pattern->mask) != pattern->bits)
		pattern++;
	pattern->decode(step);
}

static void decode_thumb(const struct code_place *place, struct known_registers *registers,
                         struct instruction *instruction)
{
	struct step step = {
	        .place = place, .registers = registers, .instruction = instruction, .pc = place->address + 4};
	uint32_t second = 0;
	if (!read_half(place, 0, &step.code))
		return;
	bool is_wide = step.code >= 0xE800; /* DDI0553 C2.2.1 */
	if (is_wide && !read_half(place, 2, &second))
		return;
	if (is_wide)
		step.code = step.code << 16 | second;
	instruction->length = is_wide ? 4 : 2;
	instruction->is_veneer_part = is_veneer_part(step.code);
	if (registers->conditional == 0) {
		run(&step, is_wide ? wide : narrow);
		return;
	}
	const struct known_registers before = *registers;
	registers->conditional--;
	run(&step, is_wide ? wide : narrow);
	make_conditional(&step, &before);
}

const struct decoder decoder_thumb = {.isa = IMAGE_ISA_ARM, .decode = decode_thumb};
