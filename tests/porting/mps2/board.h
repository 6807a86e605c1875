/* SPDX-License-Identifier: MIT */
/* What board.c offers, the UART of the console, and the timer that nothing uses yet. */
#ifndef BOARD_H
#define BOARD_H

#include <stdint.h>

struct timer {
	volatile uint32_t CTRL;
	volatile uint32_t VALUE;
	volatile uint32_t RELOAD;
	volatile uint32_t INTCLEAR;
};

struct uart {
	volatile uint32_t DATA;
	volatile uint32_t STATE;
	volatile uint32_t CTRL;
	volatile uint32_t INTCLEAR;
	volatile uint32_t BAUDDIV;
};

#define UART0            ((struct uart *)0x40004000u)
#define UART0_INTERRUPT  0 /* receive */
#define TIMER0           ((struct timer *)0x40000000u)
#define TIMER0_INTERRUPT 8
#define NVIC_ISER0       (*(volatile uint32_t *)0xE000E100u)

void say(const char *text);

#endif
