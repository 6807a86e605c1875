/* SPDX-License-Identifier: MIT */
/* A template for another ISA; docs/PORTING.md has the steps. */
#ifndef ISA_H
#define ISA_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Writes desired if *word is expected, in one step that no interrupt divides. Says whether it did; an interrupt
 * in between may keep it from that. This and the
 * addition below are all that the recorder asks of an ISA. Where the compiler has atomics for them, these lines are the
 * port. Where it calls a library for them, mask interrupts around a comparison and a store, and put the mask back as it
 * was: the caller may be a handler.
 */
static inline bool isa_replace(volatile uint32_t *word, uint32_t expected, uint32_t desired)
{
	return __atomic_compare_exchange_n(word, &expected, desired, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
}

/* Adds to *word in one step that no interrupt divides. */
static inline void isa_add(volatile uint32_t *word, uint32_t amount)
{
	__atomic_fetch_add(word, amount, __ATOMIC_RELAXED);
}

/* Whether pc is the substitute for code that may not be read; the sample is filed although no range contains it. */
static inline bool isa_pc_is_secure(uintptr_t pc)
{
	(void)pc;
	return false;
}

/* Whether the link register has no address but a value that makes a handler return, such as EXC_RETURN of Arm. */
static inline bool isa_is_exception_return(uintptr_t address)
{
	(void)address;
	return false;
}

/* Takes as many instructions as the return from the sampling interrupt has beyond those of two calls of
 * bareprof_timer_remaining(), so that the cost of a timed tick includes the return (recorder/tick.h). */
static inline void isa_wait_for_return(void)
{
}

#endif
