/* SPDX-License-Identifier: MIT */
/*
 * SysTick of any Cortex-M as the sampling timer (Armv7-M ARM B3.3). In QEMU it runs on the MPS2 boards.
 *
 *	BAREPROF_TIMER_SYSTICK(SysTick_Handler);                              nothing else uses SysTick
 *	BAREPROF_TIMER_SYSTICK_OF_RTOS(SysTick_Handler, xPortSysTickHandler); the RTOS does, with this handler
 *
 * .clock_hz is the clock of the core. In the second form, each tick calls the RTOS's handler and then records a sample
 * of the code that it interrupted. SysTick keeps the period of the RTOS, which .rate_hz states: samples are at fixed
 * intervals, so times of work that repeats with the tick can be wrong, and reports warn. It also keeps its priority,
 * usually the lowest, so interrupt handlers are never sampled.
 */
#ifndef BAREPROF_TIMER_SYSTICK_H
#define BAREPROF_TIMER_SYSTICK_H

#include <bareprof/timer.h>

#define BAREPROF_SYSTICK_CSR BAREPROF_REGISTER(0xE000E010u)
#define BAREPROF_SYSTICK_RVR BAREPROF_REGISTER(0xE000E014u) /* 24 bits; the timer counts one clock more */
#define BAREPROF_SYSTICK_CVR BAREPROF_REGISTER(0xE000E018u)

BAREPROF_INLINE void bareprof_systick_start(uint32_t clocks)
{
	BAREPROF_SYSTICK_RVR = clocks - 1u;
	BAREPROF_SYSTICK_CVR = 0;
	bareprof_register_change(0xE000ED20u, 0xFF000000u, 0); /* SHPR3: the highest priority */
	BAREPROF_SYSTICK_CSR = 7u;                             /* the clock of the core, with interrupt, enabled */
}

/* The new reload value takes effect at the next wrap. Entering the handler clears the request. */
#define BAREPROF_TIMER_SYSTICK(handler)                                                                    \
	BAREPROF_TIMER(handler, 0x1000000u, BAREPROF_SYSTICK_RVR = clock_units - 1u, BAREPROF_SYSTICK_CVR, \
	               bareprof_systick_start(period))

#define BAREPROF_TIMER_SYSTICK_OF_RTOS(handler, rtos_handler) \
	BAREPROF_EXTERN_C void rtos_handler(void);            \
	BAREPROF_FIXED_TIMER_ISR(handler, rtos_handler);      \
	BAREPROF_CODE(bareprof_timer_remaining)               \
	uint32_t bareprof_timer_remaining(void)               \
	{                                                     \
		return BAREPROF_SYSTICK_CVR;                  \
	}                                                     \
	BAREPROF_END_TIMER

#endif
