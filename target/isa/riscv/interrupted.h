/* SPDX-License-Identifier: MIT */
/* Registers and stack of interrupted code on RISC-V: the entry of the interrupt saved them (<bareprof/isa/riscv.h>). */
#ifndef ISA_INTERRUPTED_H
#define ISA_INTERRUPTED_H

#include "isa/unframed.h"

static inline uintptr_t interrupted_lr(const struct bareprof_interrupted *interrupted)
{
	return interrupted->registers[0];
}

static inline uint32_t interrupted_entry(const struct bareprof_interrupted *interrupted)
{
	(void)interrupted;
	return 0;
}

/* Whether a word may be a return address in code, and whether it is one that makes a handler return: here, none. */
static inline bool interrupted_may_return_to(uintptr_t word)
{
	return word % 2u == 0;
}

static inline bool interrupted_is_special_return(uintptr_t word)
{
	(void)word;
	return false;
}

/* Copies eight words at a time, in 19 instructions. */
static inline void interrupted_copy(volatile uintptr_t *to, uintptr_t from, uintptr_t bytes)
{
	const volatile uintptr_t *source = (const volatile uintptr_t *)from;
	const volatile uintptr_t *const end = (const volatile uintptr_t *)(from + bytes);
	const volatile uintptr_t *const fast_end = source + bytes / (8 * sizeof *source) * 8;

	for (; source != fast_end; source += 8, to += 8) {
		const uintptr_t a = source[0], b = source[1], c = source[2], d = source[3];
		const uintptr_t e = source[4], f = source[5], g = source[6], h = source[7];

		to[0] = a;
		to[1] = b;
		to[2] = c;
		to[3] = d;
		to[4] = e;
		to[5] = f;
		to[6] = g;
		to[7] = h;
	}
	while (source != end)
		*to++ = *source++;
}

#endif
