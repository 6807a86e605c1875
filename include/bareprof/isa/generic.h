/* SPDX-License-Identifier: MIT */
/*
 * The sampling interrupt where the caller has the PC already: on the computer that runs the tests, and on an ISA that
 * has no entry here yet. The handler is then `void name(uintptr_t interrupted_pc)`.
 */
#ifndef BAREPROF_ISA_GENERIC_H
#define BAREPROF_ISA_GENERIC_H

#include <stdint.h>

/* Tests pass it to bareprof_stack_tick(). */
struct bareprof_interrupted {
	uintptr_t lr;
	uintptr_t sp;
	uintptr_t fp;
	uint32_t entry;
};

#define BAREPROF_TIMER_ISR_OF_ISA(name, acknowledge)                                 \
	BAREPROF_EXTERN_C void name(uintptr_t interrupted_pc);                       \
	__attribute__((BAREPROF_ISR_ATTRIBUTES)) void name(uintptr_t interrupted_pc) \
	{                                                                            \
		bareprof_tick(interrupted_pc, acknowledge);                          \
	}

#define BAREPROF_FIXED_TIMER_ISR_OF_ISA(name, acknowledge)                           \
	BAREPROF_EXTERN_C void name(uintptr_t interrupted_pc);                       \
	__attribute__((BAREPROF_ISR_ATTRIBUTES)) void name(uintptr_t interrupted_pc) \
	{                                                                            \
		acknowledge();                                                       \
		bareprof_sample(interrupted_pc);                                     \
	}

#endif
