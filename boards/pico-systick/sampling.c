/* SPDX-License-Identifier: MIT */
/* Sampling by SysTick, which leaves all alarms of the RP2040's timer to the firmware. */
#include "board.h"

#include <bareprof/bareprof.h>

void board_sampling_start(uint32_t period)
{
	bareprof_systick_start(period);
}
