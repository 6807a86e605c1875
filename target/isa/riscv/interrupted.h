/* SPDX-License-Identifier: MIT */
/* Registers and stack of interrupted code on RISC-V: the entry of the interrupt saved them (<bareprof/isa/riscv.h>). */
#ifndef ISA_INTERRUPTED_H
#define ISA_INTERRUPTED_H

#include "isa/unframed.h"

BAREPROF_INLINE uintptr_t interrupted_lr(const struct bareprof_interrupted *interrupted)
{
	return interrupted->registers[0];
}

BAREPROF_INLINE uint32_t interrupted_entry(const struct bareprof_interrupted *interrupted)
{
	(void)interrupted;
	return 0;
}

/* Whether a word may be a return address in code, and whether it makes a handler return: none does here. */
BAREPROF_INLINE bool interrupted_may_return_to(uintptr_t word)
{
	return word % 2u == 0;
}

BAREPROF_INLINE bool interrupted_is_special_return(uintptr_t word)
{
	(void)word;
	return false;
}

BAREPROF_INLINE void copy_eight(volatile uintptr_t *to, const volatile uintptr_t *from)
{
	const uintptr_t a = from[0], b = from[1], c = from[2], d = from[3];
	const uintptr_t e = from[4], f = from[5], g = from[6], h = from[7];

	to[0] = a;
	to[1] = b;
	to[2] = c;
	to[3] = d;
	to[4] = e;
	to[5] = f;
	to[6] = g;
	to[7] = h;
}

/* Copies the rest first, then sixteen words at a time in 35 instructions. */
BAREPROF_INLINE void interrupted_copy(volatile uintptr_t *to, uintptr_t from, uintptr_t bytes)
{
	const volatile uintptr_t *source = (const volatile uintptr_t *)from;
	const volatile uintptr_t *const end = (const volatile uintptr_t *)(from + bytes);

	for (uintptr_t words = bytes / sizeof *source % 16; words != 0; words--)
		*to++ = *source++;
	if (source != end)
		do {
			copy_eight(to, source);
			copy_eight(to + 8, source + 8);
			source += 16;
			to += 16;
		} while (source != end);
}

#endif
