/* SPDX-License-Identifier: MIT */
/* Interrupted code on ISAs whose core pushes nothing on the stack and lets all code read all stacks. The entry of the
 * interrupt saves sp and fp in a struct bareprof_interrupted. */
#ifndef ISA_UNFRAMED_H
#define ISA_UNFRAMED_H

#include "compiler.h"

#include <bareprof/bareprof.h>

/* The start of the interrupted code's stack, including the words that the core itself pushed. The caller checks that it
 * is in a stack before it calls the functions below. */
BAREPROF_INLINE uintptr_t interrupted_stack(const struct bareprof_interrupted *interrupted)
{
	return interrupted->sp;
}

/* The number of bytes that the core pushed, and the size of its padding. The padding may be known only from the pushed
 * words. */
BAREPROF_INLINE uintptr_t interrupted_pushed_size(const struct bareprof_interrupted *interrupted)
{
	(void)interrupted;
	return 0;
}

BAREPROF_INLINE uintptr_t interrupted_padding(const struct bareprof_interrupted *interrupted)
{
	(void)interrupted;
	return 0;
}

/* Does not read the stack. */
BAREPROF_INLINE uintptr_t interrupted_fp(const struct bareprof_interrupted *interrupted)
{
	return interrupted->fp;
}

/* All stacks may be copied and read: these ISAs have no second security state. */
BAREPROF_INLINE bool interrupted_is_withheld(const struct bareprof_interrupted *interrupted)
{
	(void)interrupted;
	return false;
}

BAREPROF_INLINE bool interrupted_may_read(const struct bareprof_interrupted *interrupted, uintptr_t address)
{
	(void)interrupted;
	(void)address;
	return true;
}

#endif
