/* SPDX-License-Identifier: MIT */
/* The trap to the debugger on Arm M profile: BKPT 0xAB (Semihosting for AArch32 and AArch64, 3.2). */
#ifndef ISA_SEMIHOSTING_H
#define ISA_SEMIHOSTING_H

#include "compiler.h"

#include <stdint.h>

/* Executes the operation in the debugger, and returns its result. */
BAREPROF_INLINE uintptr_t isa_semihosting(uintptr_t operation, const uintptr_t *arguments)
{
	register uintptr_t result __asm("r0") = operation;
	register const uintptr_t *block __asm("r1") = arguments;

	__asm volatile("bkpt 0xab" : "+r"(result) : "r"(block) : "memory");
	return result;
}

#endif
