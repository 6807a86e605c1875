/* SPDX-License-Identifier: MIT */
/* An ELF with functions, their code and their frame information, from which both the host and the target can unwind.
 * Its words are those of this computer. */
#ifndef UNIT_TARGET_UNWIND_FRAMES_H
#define UNIT_TARGET_UNWIND_FRAMES_H

#include "firmware/image.h"

/* Where registers of the caller are, in words: above a register, or below the caller's stack pointer (0: in the
 * register still). */
struct frames_row {
	unsigned bytes; /* of code, a multiple of 4 */
	bool from_fp;
	unsigned up;
	unsigned ra, fp;
	bool is_outermost; /* its return address has no value */
};

struct frames_function {
	const struct frames_row *rows;
	size_t row_count; /* 0: code without frame information */
	unsigned bytes;   /* of code after the rows */
	bool is_pointed_to;
	uint32_t apart; /* an instruction that is there twice after the end of the function; 0: none */
};

#define FRAMES_CODE 0x10000u

/*
 * Functions that follow each other from FRAMES_CODE on. Their code is calls of unknown functions where the return
 * address is saved, otherwise instructions without effect. The test fails on errors. The image is closed after the
 * test.
 */
struct image *frames_image(const struct frames_function *functions, size_t count);

#endif
