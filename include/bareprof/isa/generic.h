/* SPDX-License-Identifier: MIT */
/*
 * The sampling interrupt if the caller already has the PC: in tests, and on an ISA without an entry in this folder. The
 * handler is then `void name(uintptr_t interrupted_pc)`.
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

#define BAREPROF_TIMER_ISR_OF_ISA(name, acknowledge)                                  \
	BAREPROF_EXTERN_C void name(uintptr_t interrupted_pc);                        \
	BAREPROF_CODE(name) __attribute__((used)) void name(uintptr_t interrupted_pc) \
	{                                                                             \
		bareprof_tick(interrupted_pc, acknowledge);                           \
	}

#define BAREPROF_FIXED_TIMER_ISR_OF_ISA(name, acknowledge)                            \
	BAREPROF_EXTERN_C void name(uintptr_t interrupted_pc);                        \
	BAREPROF_CODE(name) __attribute__((used)) void name(uintptr_t interrupted_pc) \
	{                                                                             \
		acknowledge();                                                        \
		bareprof_sample(interrupted_pc);                                      \
	}

#endif
