/* SPDX-License-Identifier: MIT */
/*
 * The MPS3 board with the AN547 FPGA image (Arm DAI 0547): sampling by system timer 0, work by system timer 1, both
 * incrementing by themselves. Registers and addresses: devices.h.
 */
#include "board.h"

#include "console.h"
#include "devices.h"
#include "nvic.h"

#include <bareprof/bareprof.h>

/* The timer adds the new distance to the deadline when it next fires. Writing 0 to its bit clears the request; the
 * other bit must stay. */
static void acknowledge_sampling(uint32_t clock_units)
{
	TIMER0->increment_reload = clock_units;
	TIMER0->increment_control = SYSTEM_TIMER_INCREMENT;
}

BAREPROF_TIMER_ISR(board_sampling_interrupt, acknowledge_sampling)

__attribute__((weak)) uint32_t bareprof_timer_remaining(void)
{
	return TIMER0->increment_low - TIMER0->count_low;
}

__attribute__((section(".vectors.interrupts"), used)) static void (*const interrupt_vectors[])(void) = {
        [TIMER0_INTERRUPT] = board_sampling_interrupt,
        [TIMER1_INTERRUPT] = work_interrupt,
        [UART0_INTERRUPT] = console_interrupt,
};

static void start_timer(struct system_timer *timer, uint32_t counts)
{
	timer->control = 0;
	timer->increment_control = 0;
	timer->increment_reload = counts;
	timer->increment_control = SYSTEM_TIMER_INCREMENT;
	timer->control = SYSTEM_TIMER_ENABLE;
}

void board_init(void)
{
	console_start();
	SYSTEM_COUNTER->scale = SYSTEM_COUNTER_ONE / COUNTER_DIVIDER;
	SYSTEM_COUNTER->control = SYSTEM_COUNTER_SCALE | SYSTEM_COUNTER_ENABLE;
	nvic_enable(TIMER0_INTERRUPT, NVIC_PRIORITY_HIGHEST);
	nvic_enable(TIMER1_INTERRUPT, NVIC_PRIORITY_LOWEST);
}

void board_sampling_start(uint32_t period)
{
	start_timer(TIMER0, period);
}

void board_work_start(uint32_t microseconds)
{
	start_timer(TIMER1, microseconds * (BOARD_SAMPLING_CLOCK_HZ / 1000000u));
}

void board_work_acknowledge(void)
{
	TIMER1->increment_control = SYSTEM_TIMER_INCREMENT;
}
