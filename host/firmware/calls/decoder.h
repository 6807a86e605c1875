/* SPDX-License-Identifier: MIT */
/*
 * The seam between what is told from code and instruction sets: one file per decoder, one line each in decoder.c's
 * table. A decoder tells of one instruction how long it is, where it leads, what it does to registers that hold
 * constants, and what of it is address. Private to calls/.
 */
#ifndef FIRMWARE_CALLS_DECODER_H
#define FIRMWARE_CALLS_DECODER_H

#include "firmware/calls/calls.h"

/* A place in code. */
struct code_place {
	const struct image *image;
	const uint8_t *bytes;
	uint64_t size; /* that are left of this extent of code; not 0 */
	uint64_t address;
};

#define REGISTER_COUNT 32

/* What registers hold where it is a constant, whatever way led here. All zero: nothing is known. */
struct known_registers {
	uint64_t values[REGISTER_COUNT];
	uint32_t known;       /* a bit per register */
	unsigned conditional; /* so many instructions from here on may be passed over (Thumb's IT) */
};

static inline void forget_all(struct known_registers *registers)
{
	registers->known = 0;
	registers->conditional = 0;
}

static inline void forget_register(struct known_registers *registers, unsigned number)
{
	registers->known &= ~(UINT32_C(1) << number);
}

static inline void set_register(struct known_registers *registers, unsigned number, uint64_t value)
{
	registers->known |= UINT32_C(1) << number;
	registers->values[number] = value;
}

static inline bool is_known(const struct known_registers *registers, unsigned number)
{
	return (registers->known >> number & 1) != 0;
}

/* to = from, or forgotten if that is not known. */
void copy_register(struct known_registers *registers, unsigned to, unsigned from);

enum instruction_flow {
	FLOW_ON,     /* to the next instruction */
	FLOW_BRANCH, /* there, or to the target */
	FLOW_JUMP,   /* to the target only; a return is a jump to where nobody knows */
	FLOW_CALL,   /* to the target, and back */
};

/* How a jump to an unknown place may be known to be a return. */
enum instruction_return {
	RETURN_NONE,
	RETURN_BY_LINK,    /* through the link register; or nothing is executed after it */
	RETURN_FROM_STACK, /* to a word from the stack: a return if the function pushed its link register */
};

/* All zero before a decoder fills it in. */
struct instruction {
	unsigned length; /* in bytes; 0: it does not end before the code does */
	enum instruction_flow flow;
	bool has_target;
	uint64_t target; /* where it is known; Thumb bit removed */
	bool has_constant;
	uint64_t constant;   /* what it completes in a register or memory, perhaps an address; Thumb bit as it is */
	bool is_veneer_part; /* linkers make such jumps, and what leads to them, of this; compilers do not */
	enum instruction_return returns;
	bool pushes_link;
	/* FLOW_ON, but on some cores the same bits are a call or jump through a table (RISC-V's Zcmt). */
	bool may_be_table_jump;
};

/*
 * What of an instruction says where code and data lie, so that it differs from link to link, bit by bit of its bytes:
 * the distance of a branch, an address. All zero before a decoder fills it in.
 */
struct address_bits {
	uint8_t bits[CALL_LENGTH_MAX];
	/* Of instructions that make an address together (LUI and ADDI, MOVW and MOVT): it is the first, or adds to what
	 * the first one left, in that register. */
	bool begins, completes;
	unsigned register_number;
};

struct decoder {
	enum image_isa isa;
	unsigned first_argument; /* the register of a function's first argument */
	/* Reads the instruction at place and brings registers up to date. */
	void (*decode)(const struct code_place *place, struct known_registers *registers,
	               struct instruction *instruction);
	/* Tells what of a whole instruction is address. begun: a bit per register in which an address is begun. */
	void (*find_address)(const struct code_place *place, uint32_t begun, struct address_bits *address);
};

extern const struct decoder decoder_riscv;
extern const struct decoder decoder_thumb;
extern const struct decoder decoder_x86;

/* The decoder of the image's ISA, or NULL. */
const struct decoder *decoder_of(const struct image *image);

/* The little-endian half-word or word at offset of a place; false if the code ends before. */
bool read_half(const struct code_place *place, uint64_t offset, uint32_t *value);
bool read_word(const struct code_place *place, uint64_t offset, uint32_t *value);

/* The number at bytes, as wide as an address of the image and in its byte order. */
uint64_t address_from(const struct image *image, const uint8_t *bytes);

/* A constant between the instructions, as wide as an address; false if it lies in no code. */
bool read_literal(const struct image *image, uint64_t address, uint64_t *value);

/* Sets bits of a half-word, or of a word, at offset of the instruction. */
void set_half_bits(struct address_bits *address, unsigned offset, uint32_t bits);
void set_word_bits(struct address_bits *address, unsigned offset, uint32_t bits);

/* Ends an instruction at a place that is known. */
void lead_to(struct instruction *instruction, enum instruction_flow flow, uint64_t target);

#endif
