/* SPDX-License-Identifier: MIT */
/*
 * Sampling by SysTick of an Arm M-profile core (Armv7-M ARM B3.3), used like a timer that cannot be set while it runs.
 */
#include "board.h"

#include <bareprof/bareprof.h>

#define SYST_CONTROL (*(volatile uint32_t *)0xE000E010u)
#define SYST_RELOAD  (*(volatile uint32_t *)0xE000E014u)
#define SYST_CURRENT (*(volatile uint32_t *)0xE000E018u)
#define CONTROL_RUN  7u /* enabled, with interrupt, counting clocks of the core */

void fixed_sampling_start(uint32_t period);

/* Entering the handler clears the request. */
__attribute__((no_instrument_function)) static void acknowledge_sampling(void)
{
}

BAREPROF_FIXED_TIMER_ISR(SysTick_Handler, acknowledge_sampling)

__attribute__((no_instrument_function)) uint32_t bareprof_timer_remaining(void)
{
	return SYST_CURRENT;
}

void fixed_sampling_start(uint32_t period)
{
	SYST_RELOAD = period - 1u;
	SYST_CURRENT = 0;
	SYST_CONTROL = CONTROL_RUN;
}
