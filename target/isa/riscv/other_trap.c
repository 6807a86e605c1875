/* SPDX-License-Identifier: MIT */
/* The default for traps that the sampling interrupt does not handle. */
#include <bareprof/bareprof.h>

/* A core that stands here is seen; one that returned to the trap's instruction would trap again, and look busy. */
__attribute__((weak)) void bareprof_other_trap(void)
{
	for (;;)
		__asm volatile("");
}
