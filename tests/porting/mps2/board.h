/* SPDX-License-Identifier: MIT */
/* The functions of board.c, the UART of the console, and the timer that the unchanged firmware does not use. */
#ifndef BOARD_H
#define BOARD_H

#include <stdint.h>

struct timer {
	volatile uint32_t LOAD;
	volatile uint32_t VALUE;
	volatile uint32_t CONTROL;
	volatile uint32_t INTCLR;
	volatile uint32_t RIS;
	volatile uint32_t MIS;
	volatile uint32_t BGLOAD;
};

struct uart {
	volatile uint32_t DATA;
	volatile uint32_t STATE;
	volatile uint32_t CTRL;
	volatile uint32_t INTCLEAR;
	volatile uint32_t BAUDDIV;
};

#define UART0           ((struct uart *)0x40004000u)
#define UART0_INTERRUPT 0 /* receive */
#define TIMER           ((struct timer *)0x40002000u)
#define TIMER_INTERRUPT 10
#define NVIC_ISER0      (*(volatile uint32_t *)0xE000E100u)

void say(const char *text);

#endif
