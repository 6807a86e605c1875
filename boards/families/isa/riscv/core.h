/* SPDX-License-Identifier: MIT */
/* Instructions of a RISC-V hart in machine mode that C cannot express. */
#ifndef BOARDS_ISA_RISCV_CORE_H
#define BOARDS_ISA_RISCV_CORE_H

#include <stdint.h>

/* Inlined and uninstrumented, so that masking calls nothing. */
#define CORE_INLINE static inline __attribute__((always_inline, no_instrument_function))

/* Machine interrupt enable in mstatus (privileged architecture 3.1.6.1), and the bits of mie (3.1.9). */
#define CORE_MSTATUS_MIE  8ul
#define CORE_MIE_SOFTWARE 8ul
#define CORE_MIE_TIMER    0x80ul
#define CORE_MIE_EXTERNAL 0x800ul

/* The entry of every hart but the first: a hart waits until this is set and its software interrupt is pending. */
struct core_second {
	void (*function)(void);
	void *stack_end;
};
extern struct core_second core_second;

CORE_INLINE unsigned long core_number(void)
{
	unsigned long number;

	__asm("csrr %0, mhartid" : "=r"(number));
	return number;
}

/* Masks all interrupts and returns the state for core_interrupts_restore(). */
CORE_INLINE unsigned long core_interrupts_save(void)
{
	unsigned long state;

	__asm volatile("csrrci %0, mstatus, 8" : "=r"(state) : : "memory");
	return state;
}

CORE_INLINE void core_interrupts_restore(unsigned long state)
{
	__asm volatile("csrs mstatus, %0" : : "r"(state & CORE_MSTATUS_MIE) : "memory");
}

CORE_INLINE void core_interrupt_enable(unsigned long bits)
{
	__asm volatile("csrs mie, %0" : : "r"(bits) : "memory");
}

/* The address to which the current trap returns (mepc, 3.1.14). */
CORE_INLINE unsigned long core_interrupted_pc(void)
{
	unsigned long pc;

	__asm volatile("csrr %0, mepc" : "=r"(pc));
	return pc;
}

/* An address in the function that this is inlined into. */
CORE_INLINE uintptr_t core_program_counter(void)
{
	uintptr_t pc;

	__asm volatile("auipc %0, 0" : "=r"(pc));
	return pc;
}

CORE_INLINE void core_wait(void)
{
	__asm volatile("wfi" : : : "memory");
}

#endif
