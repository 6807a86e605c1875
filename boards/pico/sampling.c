/* SPDX-License-Identifier: MIT */
/* Sampling by alarm 0 of the RP2040's timer. */
#include "board.h"

#include "alarm.h"

BAREPROF_TIMER_RP2(board_sampling_interrupt, ALARM_TIMER, ALARM_SAMPLING, ALARM_SAMPLING, ALARM_INTR);

void board_sampling_start(uint32_t period)
{
	bareprof_timer_set(period);
}
