/* SPDX-License-Identifier: MIT */
/* Alarm 0 of an RP2040, at 1 kHz; pico_time uses alarm 3. */
#include "bareprof_timer_rp2.h"
#include <hardware/timer.h>

BAREPROF_DEFINE(.clock_hz = 1000000, .rate_hz = 1000, .counts_missed_ticks = true);
BAREPROF_TIMER_RP2(isr_irq0, 0x40054000, 0, 0, 0x34);

void sampling_begin(void);

void sampling_begin(void)
{
	hardware_alarm_claim(0);
	bareprof_init();
	bareprof_timer_start();
	bareprof_start();
}
