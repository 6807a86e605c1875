/* SPDX-License-Identifier: MIT */
/*
 * A board to copy, for an imaginary Arm M-profile chip with two count-down timers and a UART of the simplest kind.
 * Replace its registers by your chip's registers, and cite manual and section. For RISC-V copy
 * boards/families/qemu-virt instead.
 */
#include "board.h"

#include "nvic.h"
#include "uart.h"

#include <bareprof/bareprof.h>

struct timer {
	volatile uint32_t control;
	volatile uint32_t reload; /* the timer counts reload + 1 clocks, interrupts, and reads this register again */
	volatile uint32_t value;  /* counts down to 0 */
	volatile uint32_t interrupt_clear;
};

#define TIMER_RUN_AND_INTERRUPT 0x3u

struct uart {
	volatile uint32_t data;
	volatile uint32_t status;
	volatile uint32_t interrupt_enable;
};

#define UART_TRANSMIT_READY 0x1u
#define UART_RECEIVED       0x2u /* in status, and as its interrupt */

/* A spare timer samples; SysTick stays with the HAL or the operating system. */
#define SAMPLING_TIMER              ((struct timer *)0x40000000u)
#define SAMPLING_INTERRUPT          0u
#define WORK_TIMER                  ((struct timer *)0x40001000u)
#define WORK_INTERRUPT              1u
#define WORK_CLOCKS_PER_MICROSECOND 16u
#define CONSOLE                     ((struct uart *)0x40002000u)
#define CONSOLE_INTERRUPT           2u

/* Runs in the sampling interrupt: clears the timer's request and sets the time of the next one, which must not depend
 * on when this function runs. A timer that restarts when its reload register is written needs deadlines instead: see
 * boards/pico. */
static void acknowledge_sampling(uint32_t clock_units)
{
	SAMPLING_TIMER->reload = clock_units - 1u;
	SAMPLING_TIMER->interrupt_clear = 1;
}

BAREPROF_TIMER_ISR(board_sampling_interrupt, acknowledge_sampling)

/* The recorder uses this to measure the cost of a sample. */
__attribute__((weak)) uint32_t bareprof_timer_remaining(void)
{
	return SAMPLING_TIMER->value;
}

/* Returns received bytes: a link of bareprof reads them by board_pipe_read(). */
static void console_interrupt(void)
{
	while (CONSOLE->status & UART_RECEIVED)
		uart_received((uint8_t)CONSOLE->data);
}

/* Only the entries in use: the others are 0, through which the core faults into unexpected_exception(). */
__attribute__((section(".vectors.interrupts"), used)) static void (*const interrupt_vectors[])(void) = {
        [SAMPLING_INTERRUPT] = board_sampling_interrupt,
        [WORK_INTERRUPT] = work_interrupt,
        [CONSOLE_INTERRUPT] = console_interrupt,
};

static void start_timer(struct timer *timer, uint32_t clocks)
{
	timer->control = 0;
	timer->reload = clocks - 1u;
	timer->interrupt_clear = 1;
	timer->control = TIMER_RUN_AND_INTERRUPT;
}

/* Set up clocks and pins here, too. The sampling timer must have the highest priority, or handlers are never
 * sampled. */
void board_init(void)
{
	nvic_enable(SAMPLING_INTERRUPT, NVIC_PRIORITY_HIGHEST);
	nvic_enable(WORK_INTERRUPT, NVIC_PRIORITY_LOWEST);
	nvic_enable(CONSOLE_INTERRUPT, NVIC_PRIORITY_MIDDLE);
	CONSOLE->interrupt_enable = UART_RECEIVED;
}

/* boards/console.c builds the console on it. */
bool uart_transmit(uint8_t byte)
{
	if ((CONSOLE->status & UART_TRANSMIT_READY) == 0)
		return false;
	CONSOLE->data = byte;
	return true;
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
