/* SPDX-License-Identifier: MIT */
/* The instructions that change the flow of control, decoded for a shadow call stack. */
#ifndef TESTS_QEMU_BRANCHES_H
#define TESTS_QEMU_BRANCHES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum branch_isa { ISA_ARM_M, ISA_RV32, ISA_RV64 };

enum branch_kind {
	BRANCH_NONE,        /* the next instruction follows, or is at the target */
	BRANCH_CALL,        /* leaves a return address in the link register */
	BRANCH_RETURN,      /* to the address in the link register, or to one from the stack */
	BRANCH_JUMP,        /* to the address in any other register */
	BRANCH_TRAP_RETURN, /* RISC-V's mret */
};

struct branch {
	enum branch_kind kind;
	bool has_target; /* the address is in the instruction */
	uint64_t target;
	bool is_unconditional;
	bool uses_stack; /* RISC-V: a load or store at an offset from sp */
};

/* Decodes the instruction of 2 or 4 bytes at an address. */
struct branch branch_decode(enum branch_isa isa, uint64_t address, const uint8_t *bytes, size_t size);

#endif
