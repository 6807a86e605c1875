/* SPDX-License-Identifier: MIT */
/* The end of a run on an Arm M-profile core: by semihosting in an emulator, otherwise asleep. */
#include "board.h"

/* Semihosting for AArch32 and AArch64: SYS_EXIT_EXTENDED and its reason. */
#define SYS_EXIT_EXTENDED 0x20
#define APPLICATION_EXIT  0x20026u

_Noreturn void board_exit(int status)
{
	const unsigned long parameters[2] = {APPLICATION_EXIT, (unsigned long)status};
	register unsigned long operation __asm("r0") = SYS_EXIT_EXTENDED;
	register const unsigned long *argument __asm("r1") = parameters;

	__asm volatile("bkpt 0xab" : : "r"(operation), "r"(argument) : "memory");
	board_idle();
}

_Noreturn void board_idle(void)
{
	for (;;)
		core_wait();
}
