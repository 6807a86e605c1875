/* SPDX-License-Identifier: MIT */
/*
 * Arm's MPS2 boards: sampling by TIMER0, work by TIMER1. Registers: cmsdk.h; addresses, interrupts and clock: devices.h
 * of the FPGA image's family. Knows nothing of the firmware.
 */
#include "board.h"

#include "console.h"
#include "devices.h"
#include "nvic.h"
#if BOARD_CORES > 1
#include "second.h"
#endif

#include <bareprof/bareprof.h>

static void acknowledge_sampling(void)
{
	TIMER0->interrupt_clear = 1;
}

BAREPROF_TIMER_ISR(board_sampling_interrupt, acknowledge_sampling)

__attribute__((section(".vectors.interrupts"), used)) static void (*const interrupt_vectors[])(void) = {
        [TIMER0_INTERRUPT] = board_sampling_interrupt,
        [TIMER1_INTERRUPT] = work_interrupt,
        [UART0_INTERRUPT] = console_interrupt,
};

static void start_timer(struct cmsdk_timer *timer, uint32_t clocks)
{
	timer->control = 0;
	timer->reload = clocks - 1u;
	timer->value = clocks - 1u;
	timer->interrupt_clear = 1;
	timer->control = CMSDK_TIMER_ENABLE | CMSDK_TIMER_INTERRUPT;
}

void board_init(void)
{
	console_start();
	nvic_enable(TIMER0_INTERRUPT, NVIC_PRIORITY_HIGHEST);
	nvic_enable(TIMER1_INTERRUPT, NVIC_PRIORITY_LOWEST);
}

void board_sampling_start(uint32_t period)
{
#if BOARD_CORES > 1
	if (bareprof_core_number() != 0) {
		second_core_sampling_start(period);
		return;
	}
#endif
	start_timer(TIMER0, period);
}

void board_work_start(uint32_t microseconds)
{
	start_timer(TIMER1, microseconds * (BOARD_SAMPLING_CLOCK_HZ / 1000000u));
}

void board_work_acknowledge(void)
{
	TIMER1->interrupt_clear = 1;
}
