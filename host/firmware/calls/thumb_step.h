/* SPDX-License-Identifier: MIT */
/* The state of decoding one Thumb instruction, shared by narrow and wide ones. Private to calls/thumb*.c. */
#ifndef FIRMWARE_CALLS_THUMB_STEP_H
#define FIRMWARE_CALLS_THUMB_STEP_H

#include "firmware/bits.h"
#include "firmware/calls/decoder.h"

#define SP 13u
#define LR 14u
#define PC 15u

#define FIELD(code, low, count) ((code) >> (low) & ((1u << (count)) - 1))

/* The instruction being decoded. */
struct thumb_step {
	const struct code_place *place;
	struct known_registers *registers;
	struct instruction *instruction;
	uint32_t code; /* for a wide instruction, the first half-word is the upper half */
	uint64_t pc;   /* as the instruction reads it */
};

/* Instructions, and their bits that are relative to the PC or part of an address. */
struct pattern {
	uint32_t mask, bits;
	uint32_t address;
	void (*decode)(const struct thumb_step *step);
};

static inline uint64_t wrap_to_32_bits(uint64_t address)
{
	return address & UINT32_MAX;
}

static inline void transfer_from_pc(const struct thumb_step *step, enum instruction_flow flow, uint64_t offset)
{
	transfer_to(step->instruction, flow, wrap_to_32_bits(step->pc + offset));
}

static inline void thumb_set(const struct thumb_step *step, unsigned number, uint64_t value)
{
	set_register(step->registers, number, wrap_to_32_bits(value));
}

/* The value may be a complete address. */
static inline void set_constant(const struct thumb_step *step, unsigned number, uint64_t value)
{
	thumb_set(step, number, value);
	step->instruction->has_constant = true;
	step->instruction->constant = wrap_to_32_bits(value);
}

static inline void thumb_forget(const struct thumb_step *step, unsigned number)
{
	forget_register(step->registers, number);
}

static inline void forget_list(const struct thumb_step *step, uint32_t list)
{
	step->registers->known &= ~list;
}

static inline uint64_t word_aligned(uint64_t pc)
{
	return pc & ~UINT64_C(3);
}

static inline void load_literal(const struct thumb_step *step, unsigned number, uint64_t address)
{
	uint64_t value;

	thumb_forget(step, number);
	if (number == PC)
		step->instruction->flow = FLOW_JUMP;
	if (!read_literal(step->place->image, wrap_to_32_bits(address), &value))
		return;
	if (number == PC)
		transfer_to(step->instruction, FLOW_JUMP, value & ~UINT64_C(1));
	else
		thumb_set(step, number, value);
}

/* Any register may be written. */
static inline void writes_anything(const struct thumb_step *step)
{
	forget_all(step->registers);
}

static inline void writes_nothing(const struct thumb_step *step)
{
	(void)step;
}

/* Patterns of narrow (one half-word) and wide (two) instructions. The first match counts; the last pattern matches
 * everything. */
extern const struct pattern thumb_narrow[];
extern const struct pattern thumb_wide[];

#endif
