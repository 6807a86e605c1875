/* SPDX-License-Identifier: MIT */
/* Comparator 1 of an ESP32-C3's system timer, at 1 kHz; an ESP32-C6 has it at 0x6000A000. */
#include "bareprof_timer_systimer.h"
#include <esp_intr_alloc.h>

BAREPROF_DEFINE(.clock_hz = 16000000, .rate_hz = 1000, .counts_missed_ticks = true);
BAREPROF_TIMER_SYSTIMER(0x60023000, 1);

void sampling_begin(void);

void sampling_begin(void)
{
	esp_intr_alloc(ETS_SYSTIMER_TARGET1_INTR_SOURCE, ESP_INTR_FLAG_LEVEL3, bareprof_systimer_interrupt, NULL, NULL);
	bareprof_init();
	bareprof_timer_start();
	bareprof_start();
}
