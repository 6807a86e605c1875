/* SPDX-License-Identifier: MIT */
/* Reset and console of QEMU's "virt" machine (16550 data sheet) and of a HiFive1 (FE310-G000 manual, chapter UART). */
#include "board.h"

#define STRING(number)    STRING_OF(number)
#define STRING_OF(number) #number

__asm__(".pushsection .entry, \"ax\"\n\t"
        ".globl entry\n"
        "entry:\n\t"
        "li sp, " STRING(STACK) "\n\t"
                                "la t0, timer_interrupt\n\t"
                                "csrw mtvec, t0\n\t"
                                "csrsi mstatus, 8\n\t" /* MIE */
                                "j main\n\t"
                                ".popsection");

void say(const char *text)
{
#ifdef HIFIVE1
	*(volatile uint32_t *)0x10013008u = 1; /* txctrl */
	for (; *text != 0; text++)
		*(volatile uint32_t *)0x10013000u = (uint8_t)*text;
#else
	for (; *text != 0; text++)
		*(volatile uint8_t *)0x10000000u = (uint8_t)*text;
#endif
}
