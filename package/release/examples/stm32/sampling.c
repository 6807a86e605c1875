/* SPDX-License-Identifier: MIT */
/* TIM5 of an STM32F405 that runs from its internal oscillator, at 1 kHz. */
#include "bareprof_timer_stm32.h"

BAREPROF_DEFINE(.clock_hz = 16000000, .rate_hz = 1000);
BAREPROF_TIMER_STM32(TIM5_IRQHandler, 0x40000C00, 32, 50, 0x40023840, 1u << 3);

void sampling_begin(void);

void sampling_begin(void)
{
	bareprof_init();
	bareprof_timer_start();
	bareprof_start();
}
