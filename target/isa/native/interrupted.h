/* SPDX-License-Identifier: MIT */
/* Registers of interrupted code, which tests pass. */
#ifndef ISA_INTERRUPTED_H
#define ISA_INTERRUPTED_H

#include "isa/unframed.h"

BAREPROF_INLINE uintptr_t interrupted_lr(const struct bareprof_interrupted *interrupted)
{
	return interrupted->lr;
}

BAREPROF_INLINE uint32_t interrupted_entry(const struct bareprof_interrupted *interrupted)
{
	return interrupted->entry;
}

/* As on Arm, for tests. */
BAREPROF_INLINE bool interrupted_may_return_to(uintptr_t word)
{
	return word % 2u != 0;
}

BAREPROF_INLINE bool interrupted_is_special_return(uintptr_t word)
{
	return word >= 0xFFFFFFE0u && word <= UINT32_MAX;
}

BAREPROF_INLINE void interrupted_copy(volatile uintptr_t *to, uintptr_t from, uintptr_t bytes)
{
	const volatile uintptr_t *source = (const volatile uintptr_t *)from;

	for (uintptr_t i = 0; i < bytes / sizeof *source; i++)
		to[i] = source[i];
}

#endif
