/* SPDX-License-Identifier: MIT */
/*
 * The trap to the debugger on RISC-V: three uncompressed instructions (RISC-V Semihosting, "Binary Interface"), aligned
 * so that no page divides them.
 */
#ifndef ISA_SEMIHOSTING_H
#define ISA_SEMIHOSTING_H

#include "compiler.h"

#include <stdint.h>

/* Executes the operation in the debugger, and returns its result. */
BAREPROF_INLINE uintptr_t isa_semihosting(uintptr_t operation, const uintptr_t *arguments)
{
	register uintptr_t result __asm("a0") = operation;
	register const uintptr_t *block __asm("a1") = arguments;

	__asm volatile(".balign 16\n\t.option push\n\t.option norvc\n\t"
	               "slli x0, x0, 0x1f\n\tebreak\n\tsrai x0, x0, 7\n\t"
	               ".option pop"
	               : "+r"(result)
	               : "r"(block)
	               : "memory");
	return result;
}

#endif
