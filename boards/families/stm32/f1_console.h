/* SPDX-License-Identifier: MIT */
/*
 * The console of boards with an STM32F1: USART1, which sends at pin PA9 and receives at PA10. RM0008 and RM0041 have
 * the same registers in the sections named below.
 */
#ifndef BOARDS_STM32_F1_CONSOLE_H
#define BOARDS_STM32_F1_CONSOLE_H

#include "nvic.h"
#include "usart.h"

#define REGISTER(address) (*(volatile uint32_t *)(address))

/* RM0008 7.3.7, RM0041 6.3.7. */
#define RCC_APB2_ENABLE   REGISTER(0x40021018u)
#define APB2_GPIOA_USART1 (1u << 2 | 1u << 14)

/* RM0008 9.2.2, RM0041 7.2.2: PA9 is the output of an alternate function at up to 10 MHz. PA10 is an input with a
 * pull-up, so that the line is idle if nothing is connected. */
#define GPIOA_CONFIGURATION_HIGH REGISTER(0x40010804u)
#define GPIOA_OUTPUT             REGISTER(0x4001080Cu) /* of an input: 1: pull-up, 0: pull-down */
#define PA9_PA10_MASK            (0xFFu << 4)
#define PA9_ALTERNATE_OUTPUT     (0x9u << 4)
#define PA10_PULLED_INPUT        (0x8u << 8)
#define PA10                     (1u << 10)

/* RM0008 10.1.2, RM0041 8.1.2. */
#define USART1_INTERRUPT 37u
#define USART1           ((struct usart *)0x40013800u)
#define CONSOLE_BAUD     115200u

static inline void console_start(uint32_t clock_hz)
{
	RCC_APB2_ENABLE |= APB2_GPIOA_USART1;
	GPIOA_OUTPUT |= PA10;
	GPIOA_CONFIGURATION_HIGH =
	        (GPIOA_CONFIGURATION_HIGH & ~PA9_PA10_MASK) | PA9_ALTERNATE_OUTPUT | PA10_PULLED_INPUT;
	usart_start(USART1, clock_hz, CONSOLE_BAUD);
	nvic_enable(USART1_INTERRUPT, NVIC_PRIORITY_MIDDLE);
}

static inline void console_interrupt(void)
{
	usart_receive(USART1);
}

#endif
