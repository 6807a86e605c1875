/* SPDX-License-Identifier: MIT */
/* The end of a run on a RISC-V hart: by semihosting in an emulator, otherwise asleep. */
#include "board.h"

/* The operations are those of Arm (Semihosting for AArch32 and AArch64), the trap sequence is that of the
 * RISC-V Semihosting specification: three uncompressed instructions, not to be split over two pages. */
#define SYS_EXIT_EXTENDED 0x20
#define APPLICATION_EXIT  0x20026u

_Noreturn void board_exit(int status)
{
	const unsigned long parameters[2] = {APPLICATION_EXIT, (unsigned long)status};
	register unsigned long operation __asm("a0") = SYS_EXIT_EXTENDED;
	register const unsigned long *argument __asm("a1") = parameters;

	__asm volatile(".option push\n\t.option norvc\n\t.balign 16\n\t"
	               "slli x0, x0, 0x1f\n\tebreak\n\tsrai x0, x0, 7\n\t"
	               ".option pop"
	               : "+r"(operation)
	               : "r"(argument)
	               : "memory");
	board_idle();
}

_Noreturn void board_idle(void)
{
	for (;;)
		core_wait();
}
