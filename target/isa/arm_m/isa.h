/* SPDX-License-Identifier: MIT */
/*
 * Arm M profile: v6-M to v8.1-M.
 *
 * Exclusive accesses are safe against interrupts because exception entry and return clear the local monitor (Armv7-M
 * ARM A3.4.4). v6-M has no exclusive accesses: interrupts are masked for a few instructions. This does not stop NMI and
 * HardFault, whose handlers must not be instrumented there. Unprivileged threads cannot mask interrupts, and may lose a
 * count.
 */
#ifndef ISA_H
#define ISA_H

#include "compiler.h"

#include <bareprof/block.h>
#include <stdbool.h>
#include <stdint.h>

#if defined(__ARM_FEATURE_LDREX) && (__ARM_FEATURE_LDREX & 4)

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

typedef uint32_t isa_mask_state;

BAREPROF_INLINE isa_mask_state isa_mask(void)
{
	isa_mask_state mask;

	__asm volatile("mrs %0, primask\n\tcpsid i" : "=r"(mask) : : "memory");
	return mask;
}

BAREPROF_INLINE void isa_unmask(isa_mask_state mask)
{
	__asm volatile("msr primask, %0" : : "r"(mask) : "memory");
}

#include "isa/masked.h"

#endif

/* Whether pc is the substitute for code that may not be read; the sample is filed although no range contains it. */
BAREPROF_INLINE bool isa_pc_is_secure(uintptr_t pc)
{
#if __ARM_ARCH >= 8
	return pc == BAREPROF_PC_SECURE;
#else
	(void)pc;
	return false;
#endif
}

/* Whether a return address is EXC_RETURN or FNC_RETURN (Armv7-M ARM B1.5.8, Armv8-M ARM B3.21, B3.23), which a handler
 * has, or a call from the other security state. No code is at these addresses (Armv7-M ARM B3.1). All ones, the value
 * of lr at reset, is neither, and is never passed. */
BAREPROF_INLINE bool isa_is_exception_return(uintptr_t address)
{
	return address >= 0xFE000000u;
}

/*
 * Empty: the core itself restores registers, which takes about as long as the two readings of the timer in a timed tick
 * (recorder/tick.h).
 */
BAREPROF_INLINE void isa_wait_for_return(void)
{
}

#define ICSR                   (*(const volatile uint32_t *)0xE000ED04u) /* Armv7-M ARM B3.2.4, Armv8-M ARM D1.2 */
#define ICSR_VECTACTIVE(icsr)  ((icsr)&0x1FFu)
#define ICSR_VECTPENDING(icsr) ((icsr) >> 12 & 0x1FFu)

/* Whether the interrupt that is being handled is pending again. The sampling interrupt has the highest priority, so
 * ICSR names it first. */
BAREPROF_INLINE bool isa_interrupt_is_pending(void)
{
	const uint32_t icsr = ICSR;

	return ICSR_VECTPENDING(icsr) == ICSR_VECTACTIVE(icsr);
}

/* Where the image begins if its vectors do. 0 where VTOR is not implemented (Armv6-M ARM B3.2.2, Armv7-M ARM B3.2.5).
 */
BAREPROF_INLINE uintptr_t isa_image_start(void)
{
	return *(const volatile uint32_t *)0xE000ED08u;
}

#endif
