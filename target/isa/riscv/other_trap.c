/* SPDX-License-Identifier: MIT */
/* The default handler of traps that are not the sampling interrupt's. */
#include <bareprof/bareprof.h>

/*
 * A core that stops here is visible in a debugger. One that returned to the trapping instruction would trap again for
 * ever, and look busy.
 */
__attribute__((weak)) void bareprof_other_trap(void)
{
	for (;;)
		__asm volatile("");
}
