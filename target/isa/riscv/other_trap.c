/* SPDX-License-Identifier: MIT */
/* The default handler of traps that are not the sampling interrupt's. */
#include "compiler.h"

#include <bareprof/bareprof.h>

/*
 * A debugger finds the core here. If it returned to the trapping instruction instead, it would trap for ever and look
 * busy.
 */
BAREPROF_CODE(bareprof_other_trap) __attribute__((weak)) void bareprof_other_trap(void)
{
	for (;;)
		__asm volatile("");
}
