/* SPDX-License-Identifier: MIT */
/*
 * SysTick as a timer with two deadlines: it is set for the nearer one, and its handler pends the interrupt of the
 * deadline that was reached. The handler has the highest priority, and the pended interrupt follows without another
 * exception frame (tail-chaining, Armv7-M ARM B1.5.12). So the sampling interrupt sees the code that SysTick
 * interrupted.
 */
#include "deadlines.h"

#include "core.h"
#include "nvic.h"

/* Armv7-M ARM B3.3. The counter counts down to 0, interrupts, and continues from the reload value; any write sets it to
 * 0. */
#define SYST_CONTROL     (*(volatile uint32_t *)0xE000E010u)
#define SYST_RELOAD      (*(volatile uint32_t *)0xE000E014u)
#define SYST_CURRENT     (*(volatile uint32_t *)0xE000E018u)
#define CONTROL_RUN      7u /* enabled, with interrupt, counting clocks of the core */
#define LONGEST_INTERVAL 0xFFFFFF

/* The time from checking the deadlines to the end of the handler: deadlines within it are served at once. */
#define SHORTEST_INTERVAL 64
/* Clocks from reading the counter to its first count after the restart. */
#define RESTART_CLOCKS 6

/* Deadlines, in clocks after the last deadline that was set. A period of 0: not started. */
static struct {
	int32_t until;
	int32_t period;
	unsigned interrupt;
} deadlines[DEADLINES];

/* Clocks from the last deadline that was set to now. */
static int32_t interval;

void SysTick_Handler(void);

/* Sets the counter for the nearest deadline. now_at_zero: the clocks passed when it will reach 0. */
static inline void wait_for_nearest(int32_t now_at_zero)
{
	int32_t left;

	interval = LONGEST_INTERVAL;
	for (unsigned i = 0; i < DEADLINES; i++)
		if (deadlines[i].period != 0 && deadlines[i].until < interval)
			interval = deadlines[i].until;
	left = interval - (now_at_zero - (int32_t)SYST_CURRENT) - RESTART_CLOCKS;
	SYST_RELOAD = left > 0 ? (uint32_t)left : 1;
	SYST_CURRENT = 0;
}

/* Uninstrumented, like all code that the sampling interrupt runs. */
__attribute__((no_instrument_function)) void SysTick_Handler(void)
{
	int32_t soon = (int32_t)(SYST_RELOAD - SYST_CURRENT) + SHORTEST_INTERVAL;

	for (unsigned i = 0; i < DEADLINES; i++) {
		deadlines[i].until -= interval;
		if (deadlines[i].period != 0 && deadlines[i].until <= soon) {
			deadlines[i].until += deadlines[i].period;
			nvic_pend(deadlines[i].interrupt);
		}
	}
	wait_for_nearest((int32_t)SYST_RELOAD);
}

void deadline_start(enum deadline deadline, unsigned interrupt, uint32_t period)
{
	unsigned long state = core_interrupts_save();

	deadlines[deadline].interrupt = interrupt;
	deadlines[deadline].period = (int32_t)period;
	deadlines[deadline].until = interval - (int32_t)SYST_CURRENT + (int32_t)period;
	wait_for_nearest(interval);
	SYST_CONTROL = CONTROL_RUN;
	core_interrupts_restore(state);
}

__attribute__((no_instrument_function)) void deadline_next(enum deadline deadline, uint32_t period)
{
	deadlines[deadline].period = (int32_t)period;
}

__attribute__((no_instrument_function)) uint32_t deadline_remaining(enum deadline deadline)
{
	return (uint32_t)(deadlines[deadline].until - interval + (int32_t)SYST_CURRENT);
}
