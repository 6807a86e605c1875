/* SPDX-License-Identifier: MIT */
/* Registers of interrupted code, which tests pass. */
#ifndef ISA_INTERRUPTED_H
#define ISA_INTERRUPTED_H

#include <bareprof/bareprof.h>

static inline uintptr_t interrupted_stack(const struct bareprof_interrupted *interrupted)
{
	return interrupted->sp;
}

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

static inline uintptr_t interrupted_fp(const struct bareprof_interrupted *interrupted)
{
	return interrupted->fp;
}

static inline uint32_t interrupted_entry(const struct bareprof_interrupted *interrupted)
{
	return interrupted->entry;
}

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

/* As on Arm, for tests. */
static inline bool interrupted_may_return_to(uintptr_t word)
{
	return word % 2u != 0;
}

static inline bool interrupted_is_special_return(uintptr_t word)
{
	return word >= 0xFFFFFFE0u && word <= UINT32_MAX;
}

static inline void interrupted_copy(volatile uintptr_t *to, uintptr_t from, uintptr_t bytes)
{
	const volatile uintptr_t *source = (const volatile uintptr_t *)from;

	for (uintptr_t i = 0; i < bytes / sizeof *source; i++)
		to[i] = source[i];
}

#endif
