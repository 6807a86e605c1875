/* SPDX-License-Identifier: MIT */
/*
 * A template for another ISA: registers and stack of interrupted code, for recorder/stack.h. The entry of the interrupt
 * saves the registers in a struct bareprof_interrupted, which a header in <bareprof/isa/> defines.
 */
#ifndef ISA_INTERRUPTED_H
#define ISA_INTERRUPTED_H

#include <bareprof/bareprof.h>

/* The start of the interrupted code's stack, including the words that the core itself pushed. The caller checks that it
 * is in a stack before it calls the functions below. */
static inline uintptr_t interrupted_stack(const struct bareprof_interrupted *interrupted)
{
	return interrupted->sp;
}

/* The bytes that the core pushed, and those of its padding, which may be known only from the pushed words. */
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

static inline uintptr_t interrupted_lr(const struct bareprof_interrupted *interrupted)
{
	return interrupted->lr;
}

/* These two do not read the stack. The entry states how the core entered the interrupt; 0 if there is only one way. */
static inline uintptr_t interrupted_fp(const struct bareprof_interrupted *interrupted)
{
	return interrupted->fp;
}

static inline uint32_t interrupted_entry(const struct bareprof_interrupted *interrupted)
{
	return interrupted->entry;
}

/* Whether the stack belongs to code whose data must not be copied, and whether one word of it may be read. */
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

/* Whether a word may be a return address in code, and whether it is one that makes a handler return, as
 * EXC_RETURN of Arm does. For filtered slices. */
static inline bool interrupted_may_return_to(uintptr_t word)
{
	return word % 2u == 0;
}

static inline bool interrupted_is_special_return(uintptr_t word)
{
	(void)word;
	return false;
}

/* Both addresses and the bytes are multiples of a word. */
static inline void interrupted_copy(volatile uintptr_t *to, uintptr_t from, uintptr_t bytes)
{
	const volatile uintptr_t *source = (const volatile uintptr_t *)from;

	for (uintptr_t i = 0; i < bytes / sizeof *source; i++)
		to[i] = source[i];
}

#endif
