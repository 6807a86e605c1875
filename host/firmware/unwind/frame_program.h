/* SPDX-License-Identifier: MIT */
/*
 * Call frame instructions (DWARF 5, 6.4.2 and 6.4.3), run once from start to end. Only the rules of three registers are
 * followed: the stack pointer, the return address and the frame pointer. Private to unwind/.
 */
#ifndef FIRMWARE_UNWIND_FRAME_PROGRAM_H
#define FIRMWARE_UNWIND_FRAME_PROGRAM_H

#include "firmware/unwind/frame_section.h"
#include "firmware/unwind/rows.h"

/* DWARF's numbers of an ISA's registers. */
struct frame_numbers {
	unsigned sp, fp, link;
};

/* How one register of the caller is found. */
struct frame_saved {
	enum frame_rule rule;
	int32_t offset; /* for FRAME_SAVED: from the caller's stack pointer */
};

/* No register yet. In CIEs of gas for RISC-V, the first instruction sets only the register; the offset is then 0. */
#define FRAME_NO_BASE UINT64_MAX

/* The rules at one address. */
struct frame_state {
	bool is_expression; /* the caller's stack pointer is the result of an expression */
	uint64_t base;      /* otherwise this register plus the offset */
	int64_t offset;
	struct frame_saved ra, fp;
};

/* Receives the rules of [low, high), which is not empty, in ascending order; false stops the program. */
typedef bool (*frame_state_found)(void *context, uint64_t low, uint64_t high, const struct frame_state *state);

/* Finds the rules with which each FDE of a CIE begins. False if an instruction of the CIE is unknown or damaged. */
bool frame_program_begin(const struct frame_section *section, const struct frame_common *common,
                         const struct frame_numbers *numbers, struct frame_state *initial);
/* Runs the program of an FDE from the rules of its CIE. It ends early at an instruction that is unknown or damaged: the
 * rest of the FDE has no rules. O(n) in its bytes. */
void frame_program_run(const struct frame_section *section, const struct frame_entry *entry,
                       const struct frame_numbers *numbers, const struct frame_state *initial, frame_state_found found,
                       void *context);

/* The state as a row; low and high are not set. */
struct frame_row frame_state_row(const struct frame_state *state, const struct frame_numbers *numbers);

#endif
