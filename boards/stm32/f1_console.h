/* SPDX-License-Identifier: MIT */
/* The console of boards with an STM32F1: USART1, whose transmitter is pin PA9. RM0008 and RM0041 have the same
 * registers in the sections named below. Knows nothing of clocks. */
#ifndef BOARDS_STM32_F1_CONSOLE_H
#define BOARDS_STM32_F1_CONSOLE_H

#include "usart.h"

#define REGISTER(address) (*(volatile uint32_t *)(address))

/* RM0008 7.3.7, RM0041 6.3.7. */
#define RCC_APB2_ENABLE   REGISTER(0x40021018u)
#define APB2_GPIOA_USART1 (1u << 2 | 1u << 14)

/* RM0008 9.2.2, RM0041 7.2.2: PA9 is an alternate function's output at up to 10 MHz. */
#define GPIOA_CONFIGURATION_HIGH REGISTER(0x40010804u)
#define PA9_MASK                 (0xFu << 4)
#define PA9_ALTERNATE_OUTPUT     (0x9u << 4)

#define USART1       ((struct usart *)0x40013800u)
#define CONSOLE_BAUD 115200u

static inline void console_start(uint32_t clock_hz)
{
	RCC_APB2_ENABLE |= APB2_GPIOA_USART1;
	GPIOA_CONFIGURATION_HIGH = (GPIOA_CONFIGURATION_HIGH & ~PA9_MASK) | PA9_ALTERNATE_OUTPUT;
	usart_start(USART1, clock_hz, CONSOLE_BAUD);
}

#endif
