/* SPDX-License-Identifier: MIT */
/* Effects of instructions on the stack (struct stack_effect), one file per instruction set. Private to calls/. */
#ifndef FIRMWARE_CALLS_STACK_EFFECTS_H
#define FIRMWARE_CALLS_STACK_EFFECTS_H

#include "firmware/calls/decoder.h"

void find_riscv_stack_effect(const struct code_place *place, const struct known_registers *registers,
                             struct stack_effect *effect);
void find_thumb_stack_effect(const struct code_place *place, const struct known_registers *registers,
                             struct stack_effect *effect);

static inline void stack_rises(struct stack_effect *effect, int64_t rise)
{
	effect->moves = effect->is_known = true;
	effect->rise = rise;
}

/* The stack pointer changes by a register, whose value may be known. */
static inline void stack_rises_by(struct stack_effect *effect, const struct known_registers *registers, unsigned number,
                                  unsigned bits)
{
	effect->moves = true;
	effect->is_known = register_is_known(registers, number);
	if (effect->is_known)
		effect->rise =
		        bits == 32 ? (int32_t)(uint32_t)registers->values[number] : (int64_t)registers->values[number];
}

#endif
