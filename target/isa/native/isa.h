/* SPDX-License-Identifier: MIT */
/* The build machine, with signals in place of interrupts. For tests. */
#ifndef ISA_H
#define ISA_H

#include "compiler.h"

#include <bareprof/block.h>
#include <stdbool.h>
#include <stdint.h>

/* Writes desired if *word is expected, in one step that no signal divides. Returns whether it wrote. */
BAREPROF_INLINE bool isa_replace(volatile uint32_t *word, uint32_t expected, uint32_t desired)
{
	return __atomic_compare_exchange_n(word, &expected, desired, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
}

/* Adds to *word in one step that no signal divides. */
BAREPROF_INLINE void isa_add(volatile uint32_t *word, uint32_t amount)
{
	__atomic_fetch_add(word, amount, __ATOMIC_RELAXED);
}

/* Whether pc is the substitute for code that may not be read; the sample is filed although no range contains it. */
BAREPROF_INLINE bool isa_pc_is_secure(uintptr_t pc)
{
	return pc == BAREPROF_PC_SECURE; /* as on Arm, for tests */
}

/* Whether a return address is a value that makes a handler return. */
BAREPROF_INLINE bool isa_is_exception_return(uintptr_t address)
{
	return address >= 0xFEFFFFFEu && address < 0xFFFFFFFFu; /* as on Arm, for tests */
}

/* Nothing to wait for: there are no interrupts. */
BAREPROF_INLINE void isa_wait_for_return(void)
{
}

/* Whether the interrupt that is being handled is pending again: there are none. */
BAREPROF_INLINE bool isa_interrupt_is_pending(void)
{
	return false;
}

/* Where the image begins; 0: unknown. */
BAREPROF_INLINE uintptr_t isa_image_start(void)
{
	return 0;
}

#endif
