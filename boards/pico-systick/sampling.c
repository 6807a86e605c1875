/* SPDX-License-Identifier: MIT */
/* Sampling by SysTick, which leaves all alarms of the RP2040's timer to the firmware. */
#include "board.h"

#define BAREPROF_TIMER_REMAINING __attribute__((weak))
#include <bareprof/timer_systick.h>

BAREPROF_TIMER_SYSTICK(SysTick_Handler);

void board_sampling_start(uint32_t period)
{
	bareprof_timer_set(period);
}
