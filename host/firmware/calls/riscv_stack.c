/* SPDX-License-Identifier: MIT */
/* Effects of RISC-V instructions on the stack (The RISC-V Instruction Set Manual, Volume I, chapters 2 and 16). */
#include "firmware/calls/stack_effects.h"

#include "firmware/bits.h"

#define RA 1u
#define SP 2u
#define S0 8u

static void load_from_stack(unsigned to, int64_t offset, struct stack_effect *effect)
{
	if (to == RA) {
		effect->loads_link = true;
		effect->link_from = offset;
	} else if (to == S0) {
		effect->loads_frame = true;
		effect->frame_from = offset;
	}
}

/* --- Instructions of 32 bits. */

enum {
	OPCODE_LOAD = 0x03,
	OPCODE_OP_IMM = 0x13,
	OPCODE_AUIPC = 0x17,
	OPCODE_OP_IMM_32 = 0x1B,
	OPCODE_OP = 0x33,
	OPCODE_LUI = 0x37,
	OPCODE_OP_32 = 0x3B
};

static bool writes_register(uint32_t opcode)
{
	return opcode == OPCODE_LOAD || opcode == OPCODE_OP_IMM || opcode == OPCODE_AUIPC ||
	       opcode == OPCODE_OP_IMM_32 || opcode == OPCODE_OP || opcode == OPCODE_LUI || opcode == OPCODE_OP_32;
}

static void find_word_effect(uint32_t word, unsigned bits, const struct known_registers *registers,
                             struct stack_effect *effect)
{
	uint32_t opcode = word & 0x7F, to = word >> 7 & 31, kind = word >> 12 & 7, from = word >> 15 & 31,
	         other = word >> 20 & 31;
	int64_t immediate = (int64_t)sign_extended(word >> 20, 12);

	if (opcode == OPCODE_LOAD && from == SP && kind == (bits == 64 ? 3 : 2))
		load_from_stack(to, immediate, effect);
	if (to != SP || !writes_register(opcode))
		return;
	effect->moves = true;
	if (opcode == OPCODE_OP_IMM && kind == 0 && from == SP)
		stack_rises(effect, immediate);
	else if ((word & 0xFE00707F) == OPCODE_OP && (from == SP) != (other == SP))
		stack_rises_by(effect, registers, from == SP ? other : from, bits);
}

/* --- Compressed instructions. */

static void find_compressed_effect(uint32_t half, unsigned bits, const struct known_registers *registers,
                                   struct stack_effect *effect)
{
	uint32_t to = half >> 7 & 31, other = half >> 2 & 31;

	if ((half & 0xEF83) == 0x6101) /* C.ADDI16SP */
		stack_rises(effect,
		            (int64_t)sign_extended(moved_bits(half, 12, 9, 1) | moved_bits(half, 3, 7, 2) |
		                                           moved_bits(half, 5, 6, 1) | moved_bits(half, 2, 5, 1) |
		                                           moved_bits(half, 6, 4, 1),
		                                   10));
	else if ((half & 0xEF83) == 0x0101) /* C.ADDI */
		stack_rises(effect, (int64_t)sign_extended(moved_bits(half, 12, 5, 1) | other, 6));
	else if ((half & 0xE003) == 0x4002 && bits == 32) /* C.LWSP */
		load_from_stack(to, moved_bits(half, 12, 5, 1) | moved_bits(half, 4, 2, 3) | moved_bits(half, 2, 6, 2),
		                effect);
	else if ((half & 0xE003) == 0x6002 && bits == 64) /* C.LDSP */
		load_from_stack(to, moved_bits(half, 12, 5, 1) | moved_bits(half, 5, 3, 2) | moved_bits(half, 2, 6, 3),
		                effect);
	else if ((half & 0xFF83) == 0x9102 && other != 0) /* C.ADD */
		stack_rises_by(effect, registers, other, bits);
	else if ((half & 0xFF83) == 0x8102 && other != 0) /* C.MV */
		effect->moves = true;
}

void find_riscv_stack_effect(const struct code_place *place, const struct known_registers *registers,
                             struct stack_effect *effect)
{
	unsigned bits = 8 * place->image->address_size;
	uint32_t code = 0;

	read_half(place, 0, &code);
	if ((code & 3) != 3)
		find_compressed_effect(code, bits, registers, effect);
	else if (read_word(place, 0, &code))
		find_word_effect(code, bits, registers, effect);
}
