/* SPDX-License-Identifier: MIT */
/*
 * A template for another ISA: registers and stack of interrupted code, for recorder/stack.h. The entry of the interrupt
 * saves the registers in a struct bareprof_interrupted, which a header in <bareprof/isa/> defines. If the core pushes
 * registers, as Arm's does, write your own versions of the functions in isa/unframed.h.
 */
#ifndef ISA_INTERRUPTED_H
#define ISA_INTERRUPTED_H

#include "isa/unframed.h"

BAREPROF_INLINE uintptr_t interrupted_lr(const struct bareprof_interrupted *interrupted)
{
	return interrupted->lr;
}

/* How the core entered the interrupt; 0 if there is only one way. Does not read the stack. */
BAREPROF_INLINE uint32_t interrupted_entry(const struct bareprof_interrupted *interrupted)
{
	return interrupted->entry;
}

/* For filtered slices: whether a word may be a return address in code, and whether it makes a handler return, as Arm's
 * EXC_RETURN does. */
BAREPROF_INLINE bool interrupted_may_return_to(uintptr_t word)
{
	return word % 2u == 0;
}

BAREPROF_INLINE bool interrupted_is_special_return(uintptr_t word)
{
	(void)word;
	return false;
}

/* Both addresses and the size are multiples of a word. */
BAREPROF_INLINE void interrupted_copy(volatile uintptr_t *to, uintptr_t from, uintptr_t bytes)
{
	const volatile uintptr_t *source = (const volatile uintptr_t *)from;

	for (uintptr_t i = 0; i < bytes / sizeof *source; i++)
		to[i] = source[i];
}

#endif
