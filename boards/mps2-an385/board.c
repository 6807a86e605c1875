/* SPDX-License-Identifier: MIT */
/*
 * The MPS2 board with the AN385 FPGA image (Arm DAI 0385): sampling by TIMER0, work by TIMER1, console on UART0.
 * Register facts: Cortex-M System Design Kit TRM (Arm DDI 0479), 4.3 (UART) and 4.5 (timer). Knows nothing of the
 * firmware.
 */
#include "board.h"

#include "nvic.h"

#include <bareprof/bareprof.h>

#define SYSTEM_CLOCK_HZ 25000000u
#define CONSOLE_BAUD    115200u

/* DDI 0479, APB timer. */
struct timer {
	volatile uint32_t control;
	volatile uint32_t value;
	volatile uint32_t reload; /* the timer counts reload + 1 clocks */
	volatile uint32_t interrupt_clear;
};

#define TIMER_ENABLE    0x1u
#define TIMER_INTERRUPT 0x8u

/* DDI 0479, APB UART. */
struct uart {
	volatile uint32_t data;
	volatile uint32_t state;
	volatile uint32_t control;
	volatile uint32_t interrupt_clear;
	volatile uint32_t divider;
};

#define UART_TRANSMIT_FULL   0x1u
#define UART_TRANSMIT_ENABLE 0x1u

/* DAI 0385, memory map and interrupt map. */
#define TIMER0           ((struct timer *)0x40000000u)
#define TIMER1           ((struct timer *)0x40001000u)
#define UART0            ((struct uart *)0x40004000u)
#define TIMER0_INTERRUPT 8u
#define TIMER1_INTERRUPT 9u

static void acknowledge_sampling(void)
{
	TIMER0->interrupt_clear = 1;
}

BAREPROF_TIMER_ISR(board_sampling_interrupt, acknowledge_sampling)

__attribute__((section(".vectors.interrupts"), used)) static void (*const interrupt_vectors[])(void) = {
        [TIMER0_INTERRUPT] = board_sampling_interrupt,
        [TIMER1_INTERRUPT] = work_interrupt,
};

static void start_timer(struct timer *timer, uint32_t clocks)
{
	timer->control = 0;
	timer->reload = clocks - 1u;
	timer->value = clocks - 1u;
	timer->interrupt_clear = 1;
	timer->control = TIMER_ENABLE | TIMER_INTERRUPT;
}

void board_init(void)
{
	UART0->divider = SYSTEM_CLOCK_HZ / CONSOLE_BAUD;
	UART0->control = UART_TRANSMIT_ENABLE;
	nvic_enable(TIMER0_INTERRUPT, NVIC_PRIORITY_HIGHEST);
	nvic_enable(TIMER1_INTERRUPT, NVIC_PRIORITY_LOWEST);
}

void board_console_write(const char *text)
{
	for (; *text != '\0'; text++) {
		while (UART0->state & UART_TRANSMIT_FULL)
			;
		UART0->data = (uint8_t)*text;
	}
}

void board_sampling_start(uint32_t period)
{
	start_timer(TIMER0, period);
}

void board_work_start(uint32_t microseconds)
{
	start_timer(TIMER1, microseconds * (SYSTEM_CLOCK_HZ / 1000000u));
}

void board_work_acknowledge(void)
{
	TIMER1->interrupt_clear = 1;
}
