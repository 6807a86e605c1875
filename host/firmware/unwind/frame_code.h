/* SPDX-License-Identifier: MIT */
/* The facts about code that unwinding needs: where calls return to, and how functions are entered. Private to unwind/.
 */
#ifndef FIRMWARE_UNWIND_FRAME_CODE_H
#define FIRMWARE_UNWIND_FRAME_CODE_H

#include "firmware/calls/calls.h"

/* Properties of a function; they add up. */
enum frame_function {
	FRAME_IS_ENTRY = 1,        /* the entry point is in it, and nothing called it */
	FRAME_CONTINUES_ENTRY = 2, /* the entry point leads to it by jumps alone; it may be called as well */
	FRAME_IS_TRAP = 4,         /* it returns from a trap by an instruction of its own (RISC-V) */
	FRAME_IS_POINTED_TO = 8,   /* its address is taken, so it may be a task's entry */
	FRAME_LOSES_RETURN = 16,   /* it calls without having saved its return address: it never returns */
	FRAME_MOVES_STACK = 32,    /* it changes the stack pointer */
	FRAME_IS_HANDLER = 64,     /* it is in the vector table (Arm) */
	FRAME_IS_REFERENCED = 128, /* the entry point leads to it, and other code calls it or takes its address */
};

struct frame_code;

/* Reads the code. The image must outlive *code and keep its division into functions. On success the caller frees *code.
 */
enum status frame_code_create(const struct image *image, struct frame_code **code, struct error *error);
void frame_code_free(struct frame_code *code);

/* All calls of the image; empty if there is no decoder. */
const struct calls *frame_code_calls(const struct frame_code *code);

/* The function at the ELF's entry point, if code calls it, so that it may not be the real entry point; NULL otherwise,
 * and if a vector table shows the real one. */
const struct image_function *frame_code_called_entry(const struct frame_code *code);

/* The properties of the function at address; 0 if there is none. O(log n). */
unsigned frame_code_properties(const struct frame_code *code, uint64_t address);
/* Adds a property of the function at address. */
void frame_code_add_property(struct frame_code *code, uint64_t address, enum frame_function property);

/* Whether both addresses are in functions, and in different ones. */
bool frame_code_are_in_two_functions(const struct frame_code *code, uint64_t left, uint64_t right);
/* Whether a call returns to address, which has no Thumb bit. True without a decoder. O(1) in the size of the code. */
bool frame_code_is_return(const struct frame_code *code, uint64_t address);
/* Whether a function begins at address. */
bool frame_code_is_start(const struct frame_code *code, uint64_t address);
/* Whether the call that returns to address, which has no Thumb bit, may have entered the function at callee. Slower;
 * several threads may ask at once. */
bool frame_code_can_call(struct frame_code *code, uint64_t address, uint64_t callee);
/* Finds the call with which a function begins, given the call that entered it and returns to address. False if the
 * function is unknown, or does not begin with a call. callee: an address that the path leads to. */
bool frame_code_first_call(struct frame_code *code, uint64_t address, uint64_t callee, struct call *call);

#endif
