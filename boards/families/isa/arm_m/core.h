/* SPDX-License-Identifier: MIT */
/* Instructions of an Arm M-profile core that C cannot express. */
#ifndef BOARDS_ISA_ARM_M_CORE_H
#define BOARDS_ISA_ARM_M_CORE_H

#include <stdint.h>

/* Inlined and uninstrumented, so that masking calls nothing. */
#define CORE_INLINE static inline __attribute__((always_inline, no_instrument_function))

/* Masks all interrupts (PRIMASK, Armv6-M ARM B1.4.3) and returns the state for core_interrupts_restore(). */
CORE_INLINE unsigned long core_interrupts_save(void)
{
	unsigned long state;

	__asm volatile("mrs %0, primask\n\tcpsid i" : "=r"(state) : : "memory");
	return state;
}

CORE_INLINE void core_interrupts_restore(unsigned long state)
{
	__asm volatile("msr primask, %0" : : "r"(state) : "memory");
}

/* An address in the function that this is inlined into. */
CORE_INLINE uintptr_t core_program_counter(void)
{
	uintptr_t pc;

	__asm volatile("mov %0, pc" : "=r"(pc));
	return pc;
}

CORE_INLINE void core_wait(void)
{
	__asm volatile("wfi" : : : "memory");
}

#endif
