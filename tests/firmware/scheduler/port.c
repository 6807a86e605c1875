/* SPDX-License-Identifier: MIT */
/*
 * Two functions that follow each other in memory, as in the ports of an RTOS: the address before the exit handler is in
 * the function that the scheduler calls at its start. GCC keeps this order of functions only on request.
 */
#include "port.h"
#include "scheduler.h"

#ifdef __arm__
/* Armv7-M ARM B3.2.13: PendSV has the lowest priority. */
#define SHPR3            (*(volatile uint32_t *)0xE000ED20u)
#define SHPR3_PENDSV_LOW (0xFFu << 16)
#else
/* SiFive FU540-C000 manual, chapter CLINT. */
#define MSIP (*(volatile uint32_t *)0x02000000u)
#endif

__attribute__((no_reorder)) void port_prepare(void)
{
#ifdef __arm__
	SHPR3 |= SHPR3_PENDSV_LOW;
#else
	core_interrupt_enable(CORE_MIE_SOFTWARE);
#endif
}

UNINSTRUMENTED __attribute__((no_reorder)) _Noreturn void port_task_exit(void)
{
	for (;;)
		;
}

#ifdef __riscv
/* The software interrupt switches and clears MSIP. The hart may take it some instructions later. */
UNINSTRUMENTED void port_switch_from_task(void)
{
	MSIP = 1;
	while (MSIP != 0)
		;
}

/* The external interrupt masks the software interrupt, which is taken after it. */
UNINSTRUMENTED void port_switch_from_interrupt(void)
{
	MSIP = 1;
}
#endif
