/* SPDX-License-Identifier: MIT */
/* Registers of interrupted code, which tests pass. */
#ifndef ISA_INTERRUPTED_H
#define ISA_INTERRUPTED_H

#include "isa/unframed.h"

static inline uintptr_t interrupted_lr(const struct bareprof_interrupted *interrupted)
{
	return interrupted->lr;
}

static inline uint32_t interrupted_entry(const struct bareprof_interrupted *interrupted)
{
	return interrupted->entry;
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
