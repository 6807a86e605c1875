/* SPDX-License-Identifier: MIT */
/* TIMER2 of an nRF52, at 1 kHz. Zephyr's handlers would hide the interrupted PC, so the vector table has this one. */
#include "bareprof_timer_nrf.h"
#include <zephyr/irq.h>

BAREPROF_DEFINE(.clock_hz = 16000000, .rate_hz = 1000);
BAREPROF_TIMER_NRF(sample_timer, 0x4000A000, 10);

void sampling_begin(void);

void sampling_begin(void)
{
	IRQ_DIRECT_CONNECT(10, 0, sample_timer, IRQ_ZERO_LATENCY);
	bareprof_init();
	bareprof_timer_start();
	bareprof_start();
}
