/* SPDX-License-Identifier: MIT */
/*
 * SysTick of an Arm M-profile core as the sampling timer (Armv7-M ARM B3.3), for firmware that has no other use for it.
 * Linked only if bareprof_systick_start() is called.
 */
#include "recorder/recorder.h"

struct systick {
	volatile uint32_t control;
	volatile uint32_t reload; /* 24 bits; the timer counts reload + 1 clocks */
	volatile uint32_t value;
};

#define SYSTICK                   ((struct systick *)0xE000E010u)
#define CONTROL_ENABLE            0x1u
#define CONTROL_INTERRUPT         0x2u
#define CONTROL_CLOCK_OF_THE_CORE 0x4u

/* The new reload value takes effect when the counter next wraps. Entering the handler clears the request. */
BAREPROF_INLINE void set_next_distance(uint32_t clock_units)
{
	SYSTICK->reload = clock_units - 1u;
}

BAREPROF_TIMER_ISR(SysTick_Handler, set_next_distance)

uint32_t bareprof_timer_remaining(void)
{
	return SYSTICK->value;
}

BAREPROF_CODE(bareprof_systick_start) void bareprof_systick_start(uint32_t period)
{
	SYSTICK->reload = period - 1u;
	SYSTICK->value = 0;
	SYSTICK->control = CONTROL_CLOCK_OF_THE_CORE | CONTROL_INTERRUPT | CONTROL_ENABLE;
}
