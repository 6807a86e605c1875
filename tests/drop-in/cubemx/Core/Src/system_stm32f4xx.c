/* SPDX-License-Identifier: MIT */
#include <stdint.h>

void SystemInit(void);

/* Runs before .data and .bss are initialised. */
void SystemInit(void)
{
	*(volatile uint32_t *)0xE000ED88u |= 0xFu << 20; /* CPACR: the FPU */
}
