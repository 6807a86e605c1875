/* SPDX-License-Identifier: MIT */
/*
 * RISC-V, 32 and 64 bit, machine mode.
 *
 * With the A extension the compiler generates LR/SC for a replacement and AMOADD for an addition. Traps, stores and
 * AMOs of the same hart need not clear a reservation; an SC always clears it, even if it fails (unprivileged ISA 8.2).
 * So a word must be changed by replacements only, or by additions only once a replacement has set it: an interrupt that
 * prepared the word for additions has executed an SC. Without A, interrupts are masked for a few instructions.
 */
#ifndef ISA_H
#define ISA_H

#include "compiler.h"

#include <stdbool.h>
#include <stdint.h>

#ifdef __riscv_atomic

/*
 * Writes desired if *word is expected, in one step that no interrupt divides. Returns whether it wrote; an interrupt
 * may make it fail.
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

#else

#define ISA_MSTATUS_MIE 8u /* privileged architecture 3.1.6.1 */

typedef uintptr_t isa_mask_state;

BAREPROF_INLINE isa_mask_state isa_mask(void)
{
	isa_mask_state status;

	__asm volatile("csrrci %0, mstatus, %1" : "=r"(status) : "i"(ISA_MSTATUS_MIE) : "memory");
	return status;
}

BAREPROF_INLINE void isa_unmask(isa_mask_state status)
{
	__asm volatile("csrs mstatus, %0" : : "r"(status & ISA_MSTATUS_MIE) : "memory");
}

#include "isa/masked.h"

#endif

/* Whether pc is the substitute for code that may not be read; the sample is filed although no range contains it. */
BAREPROF_INLINE bool isa_pc_is_secure(uintptr_t pc)
{
	(void)pc;
	return false;
}

/* Whether a return address is a value that makes a handler return. None does: handlers return by mret. */
BAREPROF_INLINE bool isa_is_exception_return(uintptr_t address)
{
	(void)address;
	return false;
}

/*
 * Makes a timed tick as long as any other (recorder/tick.h): the return from the sampling interrupt loads sixteen
 * registers, which takes this many more instructions than two readings of the timer.
 */
BAREPROF_INLINE void isa_wait_for_return(void)
{
	uint32_t rounds;

	__asm volatile("li %0, 6\n"
	               "0:\n\t"
	               "addi %0, %0, -1\n\t"
	               "bnez %0, 0b"
	               : "=r"(rounds));
}

/* Whether the interrupt that is being handled is pending again. Not needed: the time left until the deadline shows
 * it. */
BAREPROF_INLINE bool isa_interrupt_is_pending(void)
{
	return false;
}

/* Where the image begins, if the symbol is where startup code commonly has it; otherwise 0. */
extern const char _start[] __attribute__((weak));
BAREPROF_INLINE uintptr_t isa_image_start(void)
{
	return (uintptr_t)_start;
}

#endif
