/* SPDX-License-Identifier: MIT */
/*
 * The interface between code analysis and instruction sets. Each decoder is one file, and one row in decoders.c. For
 * one instruction, it states the length, the targets, the effect on registers with constant values and on the stack,
 * and which bits depend on addresses. Private to calls/ and unwind/.
 */
#ifndef FIRMWARE_CALLS_DECODER_H
#define FIRMWARE_CALLS_DECODER_H

#include "firmware/calls/calls.h"

#include <elf.h>

/* A position in code. */
struct code_place {
	const struct image *image;
	const uint8_t *bytes;
	uint64_t size; /* bytes left in this extent of code; not 0 */
	uint64_t address;
};

#define REGISTER_COUNT 32

/* Instructions begin at even addresses in every decoded instruction set; the longest has this many bytes. */
#define INSTRUCTION_ALIGNMENT 2
#define INSTRUCTION_MAX       8

/* Registers with the same constant value on every path to this point. All zero: none known. */
struct known_registers {
	uint64_t values[REGISTER_COUNT];
	uint32_t known;       /* a bit per register */
	unsigned conditional; /* the number of following instructions that are conditional (Thumb's IT) */
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

static inline bool register_is_known(const struct known_registers *registers, unsigned number)
{
	return (registers->known >> number & 1) != 0;
}

/* Copies a register; the copy is unknown if the original is. */
void copy_register(struct known_registers *registers, unsigned to, unsigned from);

enum instruction_flow {
	FLOW_NEXT,   /* to the next instruction */
	FLOW_BRANCH, /* to the next instruction or to the target */
	FLOW_JUMP,   /* to the target only; a return is a jump to an unknown target */
	FLOW_CALL,   /* to the target, and back to the next instruction */
};

/* How to recognise a jump with unknown target as a return. */
enum instruction_return {
	RETURN_NONE,
	RETURN_BY_LINK,    /* through the link register; also an instruction that ends execution */
	RETURN_FROM_TRAP,  /* from an interrupt; the flow may be FLOW_NEXT */
	RETURN_FROM_STACK, /* to an address from the stack: a return if the function pushed its link register */
};

/* All zero before a decoder fills it in. */
struct instruction {
	unsigned length; /* in bytes; 0: truncated by the end of the code */
	enum instruction_flow flow;
	bool has_target;
	uint64_t target; /* if known; Thumb bit removed */
	bool has_constant;
	uint64_t constant;   /* the value, possibly an address, that it completes in a register or memory, with Thumb
	                        bit */
	bool is_veneer_part; /* used by linkers in veneers, but not by compilers: the jump of a veneer, or an
	                        instruction that prepares it */
	enum instruction_return returns;
	bool pushes_link;
	/* FLOW_NEXT, but on some cores the same bits are a call or jump through a table (RISC-V Zcmt). */
	bool may_be_table_jump;
};

/* The bits of an instruction that depend on where code and data are placed, such as the distance of a branch, and so
 * differ from link to link. All zero before a decoder fills it in. */
struct address_bits {
	uint8_t bits[INSTRUCTION_MAX];
	/* For instructions that form an address together (LUI and ADDI, MOVW and MOVT): this is the first one, or it
	 * extends the value in that register. */
	bool begins, completes;
	unsigned register_number;
};

/* The effect of an instruction on the stack pointer, and on the registers that functions save on the stack. All zero
 * before a decoder fills it in. */
struct stack_effect {
	bool moves;    /* it changes the stack pointer */
	bool is_known; /* the change is `rise` bytes */
	int64_t rise;
	bool loads_link, loads_frame;  /* it loads the link register or the frame pointer */
	int64_t link_from, frame_from; /* at these offsets from the old stack pointer */
	bool saves_link;               /* it stores the link register */
	int64_t link_to;               /* at this offset from the new stack pointer */
};

/* Receives each target of a jump table. */
typedef void (*jump_found)(void *context, uint64_t target);

struct decoder {
	unsigned machine;        /* EM_* of the ELF header */
	unsigned first_argument; /* the register of a function's first argument */
	unsigned link;           /* the link register */
	bool passes_caller;      /* the first argument of an instrumentation hook is the caller or the function */
	/* Decodes the instruction at place and updates registers. */
	void (*decode)(const struct code_place *place, struct known_registers *registers,
	               struct instruction *instruction);
	/* Finds the address bits of a complete instruction. begun: a bit per register that holds the first part of an
	 * address. */
	void (*find_address)(const struct code_place *place, uint32_t begun, struct address_bits *address);
	/* Finds the effect of a complete instruction, after which the registers have these values. */
	void (*find_stack_effect)(const struct code_place *place, const struct known_registers *registers,
	                          struct stack_effect *effect);
	/* Calls found() for each target of the table in code that the jump at place reads. NULL: there are no such
	 * tables. */
	void (*each_table_target)(const struct code_place *place, jump_found found, void *context);
};

/* The decoder for the image's machine, or NULL. */
const struct decoder *decoder_of(const struct image *image);

/* Reads the little-endian half-word or word at offset from a place; false beyond the end of the code. */
bool read_half(const struct code_place *place, uint64_t offset, uint32_t *value);
bool read_word(const struct code_place *place, uint64_t offset, uint32_t *value);

/* The number of size bytes (at most 8) at bytes, in the byte order of the image. */
uint64_t number_from(const struct image *image, const uint8_t *bytes, unsigned size);

/* Reads an address-sized literal in code; false if address is outside code. */
bool read_literal(const struct image *image, uint64_t address, uint64_t *value);

/* Marks bits of a half-word or word at offset of the instruction. */
void set_half_bits(struct address_bits *address, unsigned offset, uint32_t bits);
void set_word_bits(struct address_bits *address, unsigned offset, uint32_t bits);

/* Sets the flow and its known target. */
void transfer_to(struct instruction *instruction, enum instruction_flow flow, uint64_t target);

/* The destination of a call to target: target itself or, if that is a veneer inserted by the linker, the end of the
 * chain of veneers. A veneer is recognised by its instructions: all are used in linker veneers, and the last jumps to
 * a constant address. */
uint64_t veneer_end(const struct decoder *decoder, const struct image *image, uint64_t target);

#endif
