/* SPDX-License-Identifier: MIT */
/* The end of a run on a RISC-V hart: by semihosting in an emulator, otherwise asleep. */
#include "board.h"

/* Arm defines the operations (Semihosting for AArch32 and AArch64), and the RISC-V Semihosting specification the trap
 * sequence: three uncompressed instructions, all in one page. */
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
