/* SPDX-License-Identifier: MIT */
/*
 * A board to copy, for an Arm M-profile chip that exists nowhere: two count-down timers and a UART of the plainest
 * kind. Put your chip's registers in their place, with the manual and the section that they come from. Knows nothing of
 * the firmware. For RISC-V copy boards/qemu-virt instead.
 */
#include "board.h"

#include "nvic.h"

#include <bareprof/bareprof.h>

struct timer {
	volatile uint32_t control;
	volatile uint32_t reload; /* counts reload + 1 clocks, then interrupts and begins again */
	volatile uint32_t interrupt_clear;
};

#define TIMER_RUN_AND_INTERRUPT 0x3u

struct uart {
	volatile uint32_t data;
	volatile uint32_t status;
};

#define UART_TRANSMIT_READY 0x1u

/* A spare timer samples; SysTick stays with the HAL or the operating system. */
#define SAMPLING_TIMER              ((struct timer *)0x40000000u)
#define SAMPLING_INTERRUPT          0u
#define WORK_TIMER                  ((struct timer *)0x40001000u)
#define WORK_INTERRUPT              1u
#define WORK_CLOCKS_PER_MICROSECOND 16u
#define CONSOLE                     ((struct uart *)0x40002000u)

/* Runs in the sampling interrupt: ends the timer's request, does nothing else. */
static void acknowledge_sampling(void)
{
	SAMPLING_TIMER->interrupt_clear = 1;
}

BAREPROF_TIMER_ISR(board_sampling_interrupt, acknowledge_sampling)

/* Only the entries that are used: the others are 0, and the core faults into unexpected_exception(). */
__attribute__((section(".vectors.interrupts"), used)) static void (*const interrupt_vectors[])(void) = {
        [SAMPLING_INTERRUPT] = board_sampling_interrupt,
        [WORK_INTERRUPT] = work_interrupt,
};

static void start_timer(struct timer *timer, uint32_t clocks)
{
	timer->control = 0;
	timer->reload = clocks - 1u;
	timer->interrupt_clear = 1;
	timer->control = TIMER_RUN_AND_INTERRUPT;
}

/* Set up clocks and pins here, too. The sampling timer has the highest priority, or handlers are never sampled. */
void board_init(void)
{
	nvic_enable(SAMPLING_INTERRUPT, NVIC_PRIORITY_HIGHEST);
	nvic_enable(WORK_INTERRUPT, NVIC_PRIORITY_LOWEST);
}

void board_console_write(const char *text)
{
	for (; *text != '\0'; text++) {
		while ((CONSOLE->status & UART_TRANSMIT_READY) == 0)
			;
		CONSOLE->data = (uint8_t)*text;
	}
}

void board_sampling_start(uint32_t period)
{
	start_timer(SAMPLING_TIMER, period);
}

void board_work_start(uint32_t microseconds)
{
	start_timer(WORK_TIMER, microseconds * WORK_CLOCKS_PER_MICROSECOND);
}

void board_work_acknowledge(void)
{
	WORK_TIMER->interrupt_clear = 1;
}
