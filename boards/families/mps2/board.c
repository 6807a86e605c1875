/* SPDX-License-Identifier: MIT */
/*
 * Arm's MPS2 boards: sampling by the dual timer, work by TIMER1. Registers: cmsdk.h; addresses, interrupts and clock:
 * devices.h of the FPGA image's family.
 */
#include "board.h"

#include "console.h"
#include "devices.h"
#include "nvic.h"
#if BOARD_CORES > 1
#include "second.h"
#endif

#include <bareprof/bareprof.h>

static void acknowledge_sampling(uint32_t clock_units)
{
	DUAL_TIMER->background_load = clock_units - 1u;
	DUAL_TIMER->interrupt_clear = clock_units;
}

BAREPROF_TIMER_ISR(board_sampling_interrupt, acknowledge_sampling)

__attribute__((section(".vectors.interrupts"), used)) static void (*const interrupt_vectors[])(void) = {
        [DUAL_TIMER_INTERRUPT] = board_sampling_interrupt,
        [TIMER1_INTERRUPT] = work_interrupt,
        [UART0_INTERRUPT] = console_interrupt,
};

__attribute__((weak)) uint32_t bareprof_timer_remaining(void)
{
#if BOARD_CORES > 1
	if (bareprof_core_number() != 0)
		return second_core_sampling_remaining();
#endif
	return DUAL_TIMER->value;
}

void board_init(void)
{
	console_start();
	nvic_enable(DUAL_TIMER_INTERRUPT, NVIC_PRIORITY_HIGHEST);
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
	DUAL_TIMER->control = 0;
	DUAL_TIMER->load = period - 1u;
	DUAL_TIMER->interrupt_clear = 1;
	DUAL_TIMER->control = CMSDK_DUAL_TIMER_32_BIT | CMSDK_DUAL_TIMER_INTERRUPT | CMSDK_DUAL_TIMER_PERIODIC |
	                      CMSDK_DUAL_TIMER_ENABLE;
}

void board_work_start(uint32_t microseconds)
{
	const uint32_t clocks = microseconds * (BOARD_SAMPLING_CLOCK_HZ / 1000000u);

	TIMER1->control = 0;
	TIMER1->reload = clocks - 1u;
	TIMER1->value = clocks - 1u;
	TIMER1->interrupt_clear = 1;
	TIMER1->control = CMSDK_TIMER_ENABLE | CMSDK_TIMER_INTERRUPT;
}

void board_work_acknowledge(void)
{
	TIMER1->interrupt_clear = 1;
}
