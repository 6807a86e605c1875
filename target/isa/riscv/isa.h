/* SPDX-License-Identifier: MIT */
/*
 * RISC-V, 32 and 64 bit, machine mode. Knows nothing of the block.
 *
 * With the A extension the compiler makes LR/SC of it. A trap need not clear a reservation, but an SC in the handler
 * does, whether it succeeds or not (unprivileged ISA 8.2), and all that the recorder changes while others may be
 * changing it is changed by SC. Without A, interrupts are masked for a few instructions.
 */
#ifndef ISA_H
#define ISA_H

#include <stdbool.h>
#include <stdint.h>

/* Writes desired if *word is expected, in one step that no interrupt divides. Says whether it did. */
#ifdef __riscv_atomic

static inline bool isa_replace(volatile uint32_t *word, uint32_t expected, uint32_t desired)
{
	return __atomic_compare_exchange_n(word, &expected, desired, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
}

#else

#define ISA_MSTATUS_MIE 8u /* privileged architecture 3.1.6.1 */

static inline bool isa_replace(volatile uint32_t *word, uint32_t expected, uint32_t desired)
{
	uintptr_t status;

	__asm volatile("csrrci %0, mstatus, %1" : "=r"(status) : "i"(ISA_MSTATUS_MIE) : "memory");
	const bool is_expected = *word == expected;
	if (is_expected)
		*word = desired;
	__asm volatile("csrs mstatus, %0" : : "r"(status & ISA_MSTATUS_MIE) : "memory");
	return is_expected;
}

#endif

#endif
