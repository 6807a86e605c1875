/* SPDX-License-Identifier: MIT */
/* A template for another ISA; docs/PORTING.md has the steps. */
#ifndef ISA_H
#define ISA_H

#include "compiler.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * Writes desired if *word is expected, in one step that no interrupt divides. Returns whether it wrote; an interrupt
 * may make it fail. Keep this function and isa_add() as they are if the compiler generates instructions for them. If it
 * calls a library instead, replace both: define isa_mask() and isa_unmask(), and include isa/masked.h. isa_unmask()
 * must restore the previous mask, because the caller may be a handler.
 */
BAREPROF_INLINE bool isa_replace(volatile uint32_t *word, uint32_t expected, uint32_t desired)
{
	return __atomic_compare_exchange_n(word, &expected, desired, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
}

/* Adds to *word in one step that no interrupt divides. */
BAREPROF_INLINE void isa_add(volatile uint32_t *word, uint32_t amount)
{
	__atomic_fetch_add(word, amount, __ATOMIC_RELAXED);
}

/* Whether pc is the substitute for code that may not be read; the sample is filed although no range contains it. */
BAREPROF_INLINE bool isa_pc_is_secure(uintptr_t pc)
{
	(void)pc;
	return false;
}

/* Whether a return address is a value that makes a handler return, such as Arm's EXC_RETURN. */
BAREPROF_INLINE bool isa_is_exception_return(uintptr_t address)
{
	(void)address;
	return false;
}

/*
 * Makes a timed tick as long as any other (recorder/tick.h): executes as many instructions as the return from the
 * sampling interrupt has more than two readings of the timer. Leave it empty if both take about as long.
 */
BAREPROF_INLINE void isa_wait_for_return(void)
{
}

/* Whether the interrupt that is being handled is pending again. A timer that counts down to 0 and restarts may fire
 * while a slow tick records a stack (recorder/tick.h). */
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
