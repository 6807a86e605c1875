/* SPDX-License-Identifier: MIT */
/* Sampling by alarm 0 of the RP2040's timer. */
#include "board.h"

#include "alarm.h"

#include <bareprof/bareprof.h>

static struct alarm alarm = {.number = ALARM_SAMPLING};

static void acknowledge_sampling(uint32_t clock_units)
{
	uint32_t skipped = alarm_next(&alarm, clock_units);

	if (skipped != 0)
		bareprof_tick_missed(skipped);
}

BAREPROF_TIMER_ISR(board_sampling_interrupt, acknowledge_sampling)

__attribute__((weak)) uint32_t bareprof_timer_remaining(void)
{
	return alarm.deadline - TIMER_NOW;
}

void board_sampling_start(uint32_t period)
{
	alarm_start(&alarm, period, NVIC_PRIORITY_HIGHEST);
}
