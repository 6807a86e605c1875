/* SPDX-License-Identifier: MIT */
/*
 * Unwinding: from registers and a piece of a stack to the return addresses of the functions that had not returned.
 *
 * The frame information of the ELF (.debug_frame and .eh_frame: DWARF 5, 6.4) is compiled once into rows:
 * where the caller's stack pointer is, and where the return address and the frame pointer were saved, for each extent
 * of code. Everything from the ELF and from the target is untrusted: each step moves up the stack, and nothing outside
 * the piece is read.
 */
#ifndef FIRMWARE_UNWIND_UNWIND_H
#define FIRMWARE_UNWIND_UNWIND_H

#include "firmware/image.h"

#include <bareprof/block.h>

/* The deepest path. */
#define UNWIND_DEPTH_MAX 4096

/* How a path ends at its outer end; the numbers are those of the block. */
enum unwind_end {
	UNWIND_ROOT = BAREPROF_END_ROOT,
	UNWIND_TASK = BAREPROF_END_TASK,
	UNWIND_EXCEPTION = BAREPROF_END_EXCEPTION,
	UNWIND_CUT = BAREPROF_END_CUT,
	UNWIND_NO_ROW = BAREPROF_END_NO_ROW,
	UNWIND_BAD = BAREPROF_END_BAD,
};

struct unwinder;

/* Interrupted code: its registers, and the bytes of its stack from sp up, in the byte order of the image. */
struct unwind_stack {
	uint64_t pc, lr, sp, fp;
	uint32_t entry; /* EXC_RETURN of the handler that took the registers; 0 on other ISAs */
	const uint8_t *bytes;
	size_t size;
	bool is_whole; /* the bytes end where the stack ends */
	/* Only some words were kept: bit n of kept is set if word n of the stack is, the words follow each other in
	 * bytes, and size counts those of the stack. NULL: all were kept. */
	const uint8_t *kept;
};

struct unwind_path {
	uint64_t *returns; /* return addresses without Thumb bits, the innermost first; of UNWIND_DEPTH_MAX items */
	size_t depth;
	enum unwind_end end;
	uint64_t needed; /* after UNWIND_CUT: the bytes of stack that the next frame needs */
};

/*
 * Compiles the frame information of the image, which must outlive the unwinder and keep its division. An image without
 * any gives an unwinder that knows leaf functions only; *row_count is 0 then. On success the caller owns *unwinder.
 */
enum status unwinder_create(const struct image *image, struct unwinder **unwinder, struct error *error);
void unwinder_free(struct unwinder *unwinder);
size_t unwinder_row_count(const struct unwinder *unwinder);

/* Unwinds one stack. path->returns is the caller's and is overwritten. Several threads may unwind at once. */
void unwind(const struct unwinder *unwinder, const struct unwind_stack *stack, struct unwind_path *path);

/* A function whose return address leads nowhere is the outermost one of its path; the name is for reports. */
const char *unwind_end_name(enum unwind_end end);

#endif
