/* SPDX-License-Identifier: MIT */
/* Effects of Thumb instructions on the stack (Armv7-M ARM A5.2, A5.3 and A7.7). */
#include "firmware/calls/stack_effects.h"

#include "firmware/calls/thumb_step.h"

#define FP 7u

/* Registers are loaded from the stack pointer up, the lowest first; then the stack pointer points after them. */
static void pop_list(uint32_t list, struct stack_effect *effect)
{
	effect->loads_frame = (list >> FP & 1) != 0;
	effect->frame_from = 4 * __builtin_popcount(list & ((1u << FP) - 1));
	effect->loads_link = (list >> LR & 1) != 0;
	effect->link_from = 4 * __builtin_popcount(list & ((1u << LR) - 1));
	stack_rises(effect, 4 * __builtin_popcount(list));
}

/* Registers are stored from the new stack pointer up, the lowest first. */
static void push_list(uint32_t list, struct stack_effect *effect)
{
	effect->saves_link = (list >> LR & 1) != 0;
	effect->link_to = 4 * __builtin_popcount(list & ((1u << LR) - 1));
	stack_rises(effect, -4 * (int64_t)__builtin_popcount(list));
}

static void find_narrow_effect(uint32_t half, const struct known_registers *registers, struct stack_effect *effect)
{
	uint32_t bit_8 = half >> 8 & 1;

	if ((half & 0xFF80) == 0xB000) /* ADD SP, SP, #imm */
		stack_rises(effect, 4 * (int64_t)(half & 0x7F));
	else if ((half & 0xFF80) == 0xB080) /* SUB SP, SP, #imm */
		stack_rises(effect, -4 * (int64_t)(half & 0x7F));
	else if ((half & 0xFE00) == 0xB400) /* PUSH */
		push_list((half & 0xFF) | bit_8 << LR, effect);
	else if ((half & 0xFE00) == 0xBC00) /* POP */
		pop_list((half & 0xFF) | bit_8 << PC, effect);
	else if ((half & 0xFF87) == 0x4485) /* ADD SP, Rm */
		stack_rises_by(effect, registers, FIELD(half, 3, 4), 32);
	else if ((half & 0xFF87) == 0x4685) /* MOV SP, Rm */
		effect->moves = true;
}

static uint32_t twelve_bits(uint32_t word)
{
	return FIELD(word, 26, 1) << 11 | FIELD(word, 12, 3) << 8 | FIELD(word, 0, 8);
}

/* ThumbExpandImm (Armv7-M ARM A5.3.2). */
static uint32_t expanded_immediate(uint32_t word)
{
	static const uint32_t repeated[] = {0x1, 0x10001, 0x1000100, 0x1010101};
	uint32_t twelve = twelve_bits(word);

	if (twelve >> 10 != 0) {
		uint32_t value = 0x80 | (twelve & 0x7F), turn = twelve >> 7;

		return value >> turn | value << (32 - turn);
	}
	return (twelve & 0xFF) * repeated[twelve >> 8];
}

/* Instructions whose bits 8 to 11 are the register that they write. */
static void find_arithmetic(uint32_t word, struct stack_effect *effect)
{
	if ((word & 0xFBEF8F00) == 0xF10D0D00) /* ADD.W SP, SP, #imm */
		stack_rises(effect, (int32_t)expanded_immediate(word));
	else if ((word & 0xFBFF8F00) == 0xF20D0D00) /* ADDW SP, SP, #imm */
		stack_rises(effect, twelve_bits(word));
	else if ((word & 0xFBEF8F00) == 0xF1AD0D00) /* SUB.W SP, SP, #imm */
		stack_rises(effect, -(int64_t)expanded_immediate(word));
	else if ((word & 0xFBFF8F00) == 0xF2AD0D00) /* SUBW SP, SP, #imm */
		stack_rises(effect, -(int64_t)twelve_bits(word));
	else if ((word & 0xF8008F00) == 0xF0000D00 || (word & 0xFE008F00) == 0xEA000D00) /* another write of SP */
		effect->moves = true;
}

static void find_wide_effect(uint32_t word, struct stack_effect *effect)
{
	uint32_t first = word >> 16;

	if (first == 0xE8BD) /* POP.W */
		pop_list(word & 0xFFFF, effect);
	else if (first == 0xE92D) /* PUSH.W */
		push_list(word & 0xFFFF, effect);
	else if ((word & 0xFFFF0F00) == 0xF85D0B00) { /* LDR Rt, [SP], #imm */
		pop_list(1u << FIELD(word, 12, 4), effect);
		effect->rise = FIELD(word, 0, 8);
	} else if ((word & 0xFFFF0F00) == 0xF84D0D00) { /* STR Rt, [SP, #-imm]! */
		push_list(1u << FIELD(word, 12, 4), effect);
		effect->rise = -(int64_t)FIELD(word, 0, 8);
	} else if (first == 0xE96D) { /* STRD Rt, Rt2, [SP, #-imm]! */
		effect->saves_link = FIELD(word, 12, 4) == LR || FIELD(word, 8, 4) == LR;
		effect->link_to = FIELD(word, 12, 4) == LR ? 0 : 4;
		stack_rises(effect, -4 * (int64_t)FIELD(word, 0, 8));
	} else if (first == 0xE8FD) { /* LDRD Rt, Rt2, [SP], #imm */
		effect->loads_frame = FIELD(word, 12, 4) == FP || FIELD(word, 8, 4) == FP;
		effect->frame_from = FIELD(word, 12, 4) == FP ? 0 : 4;
		effect->loads_link = FIELD(word, 12, 4) == LR || FIELD(word, 8, 4) == LR;
		effect->link_from = FIELD(word, 12, 4) == LR ? 0 : 4;
		stack_rises(effect, 4 * (int64_t)FIELD(word, 0, 8));
	} else if ((word & 0xFFBF0E00) == 0xECBD0A00) /* VPOP */
		stack_rises(effect, 4 * (int64_t)FIELD(word, 0, 8));
	else if ((word & 0xFFBF0E00) == 0xED2D0A00) /* VPUSH */
		stack_rises(effect, -4 * (int64_t)FIELD(word, 0, 8));
	else
		find_arithmetic(word, effect);
}

void find_thumb_stack_effect(const struct code_place *place, const struct known_registers *registers,
                             struct stack_effect *effect)
{
	uint32_t first = 0, second = 0;

	read_half(place, 0, &first);
	if (first < 0xE800)
		find_narrow_effect(first, registers, effect);
	else if (read_half(place, 2, &second))
		find_wide_effect(first << 16 | second, effect);
}
