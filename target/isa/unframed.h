/* SPDX-License-Identifier: MIT */
/* Interrupted code on ISAs whose core pushes nothing on the stack and lets all code read all stacks. The entry of the
 * interrupt saves sp and fp in a struct bareprof_interrupted. */
#ifndef ISA_UNFRAMED_H
#define ISA_UNFRAMED_H

#include <bareprof/bareprof.h>

/* The start of the interrupted code's stack, including the words that the core itself pushed. The caller checks that it
 * is in a stack before it calls the functions below. */
static inline uintptr_t interrupted_stack(const struct bareprof_interrupted *interrupted)
{
	return interrupted->sp;
}

/* The number of bytes that the core pushed, and the size of its padding. The padding may be known only from the pushed
 * words. */
static inline uintptr_t interrupted_pushed_size(const struct bareprof_interrupted *interrupted)
{
	(void)interrupted;
	return 0;
}

static inline uintptr_t interrupted_padding(const struct bareprof_interrupted *interrupted)
{
	(void)interrupted;
	return 0;
}

/* Does not read the stack. */
static inline uintptr_t interrupted_fp(const struct bareprof_interrupted *interrupted)
{
	return interrupted->fp;
}

/* All stacks may be copied and read: these ISAs have no second security state. */
static inline bool interrupted_is_withheld(const struct bareprof_interrupted *interrupted)
{
	(void)interrupted;
	return false;
}

static inline bool interrupted_may_read(const struct bareprof_interrupted *interrupted, uintptr_t address)
{
	(void)interrupted;
	(void)address;
	return true;
}

#endif
