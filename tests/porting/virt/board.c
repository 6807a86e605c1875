/* SPDX-License-Identifier: MIT */
/*
 * The firmware of the porting tests before bareprof came to it: startup and console of QEMU's RISC-V "virt" machine
 * (hw/riscv/virt.c of QEMU).
 */
#include "board.h"

extern uint32_t bss_start[], bss_end[];

int main(void);
void reset(void);
void startup(void);

/* Privileged architecture 3.1.7: mtvec in direct mode. */
__attribute__((naked, section(".vectors"), used, no_instrument_function)) void reset(void)
{
	__asm volatile("la sp, stack_top\n\t"
	               "la t0, timer_interrupt\n\t"
	               "csrw mtvec, t0\n\t"
	               "j startup");
}

void startup(void)
{
	for (volatile uint32_t *word = bss_start; word < bss_end; word++)
		*word = 0;
	main();
	for (;;)
		;
}

void say(const char *text)
{
	while (*text != '\0')
		UART[0] = (uint8_t)*text++;
}
