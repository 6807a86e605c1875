/* SPDX-License-Identifier: MIT */
/*
 * Unwinding: from registers and a piece of a stack to the return addresses of the functions that had not returned.
 *
 * The frame information of the ELF (.debug_frame and .eh_frame: DWARF 5, 6.4) is compiled once into rows. For each
 * extent of code they state where the caller's stack pointer is, and where the return address and the frame pointer
 * were saved. Everything from the ELF and from the target is untrusted: each step moves up the stack, and nothing
 * outside the piece is read.
 */
#ifndef FIRMWARE_UNWIND_UNWIND_H
#define FIRMWARE_UNWIND_UNWIND_H

#include "firmware/image.h"

#include <bareprof/block.h>

/* The deepest path. */
#define UNWIND_DEPTH_MAX 4096

/* How a path ends at its outer end, with the numbers of the block. */
enum unwind_end {
	UNWIND_ROOT = BAREPROF_END_ROOT,
	UNWIND_TASK = BAREPROF_END_TASK,
	UNWIND_EXCEPTION = BAREPROF_END_EXCEPTION,
	UNWIND_CUT = BAREPROF_END_CUT,
	UNWIND_NO_ROW = BAREPROF_END_NO_ROW,
	UNWIND_BAD = BAREPROF_END_BAD,
	UNWIND_WITHHELD = BAREPROF_END_WITHHELD,
};

struct unwinder;

/* Interrupted code: its registers, and the bytes of its stack from sp up, in the byte order of the image. */
struct unwind_stack {
	uint64_t pc, lr, sp, fp;
	uint32_t entry; /* EXC_RETURN of the handler that took the registers; 0 on other ISAs */
	const uint8_t *bytes;
	size_t size;
	bool is_whole; /* the bytes end where the stack ends */
	/* Paths of handlers go on into the interrupted code, as if it had called the handler, if the exception frame is
	 * on the same stack (Arm). */
	bool through_interrupts;
	/* NULL unless only some words were kept. Then bit n is set if word n of the stack was kept, bytes has only the
	 * kept words, and size includes the others. */
	const uint8_t *kept;
};

struct unwind_path {
	/* Return addresses without Thumb bits, the innermost first; of UNWIND_DEPTH_MAX items. Interrupted code has the
	 * address of its instruction plus 2, like the return address of a call there. */
	uint64_t *returns;
	size_t depth;
	enum unwind_end end;
	uint64_t needed; /* after UNWIND_CUT: the bytes of stack that the next frame needs */
	uint64_t top;    /* the stack pointer of the outermost function, where it called, or where its caller did */
};

/*
 * Compiles the frame information of the image, which must outlive the unwinder and keep its division into functions.
 * Without frame information, the unwinder finds only the callers of some leaf functions, and unwinder_row_count() is 0.
 * On success the caller owns *unwinder.
 */
enum status unwinder_create(const struct image *image, struct unwinder **unwinder, struct error *error);
void unwinder_free(struct unwinder *unwinder);
size_t unwinder_row_count(const struct unwinder *unwinder);
/* The function at the ELF's entry point, if code calls it, so that the entry point may be wrong; otherwise NULL. */
const struct image_function *unwinder_called_entry(const struct unwinder *unwinder);

/* Unwinds one stack. path->returns is the caller's and is overwritten. Several threads may unwind at once. */
void unwind(const struct unwinder *unwinder, const struct unwind_stack *stack, struct unwind_path *path);

#endif
