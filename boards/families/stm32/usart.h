/* SPDX-License-Identifier: MIT */
/* An STM32 USART, the same on F1 and F4: RM0008 27.6, RM0041 23.6, RM0090 30.6. */
#ifndef BOARDS_STM32_USART_H
#define BOARDS_STM32_USART_H

#include "uart.h"

#include <stdint.h>

struct usart {
	volatile uint32_t status;
	volatile uint32_t data;
	volatile uint32_t baud_rate;
	volatile uint32_t control1;
};

#define USART_RECEIVED          (1u << 5)
#define USART_TRANSMIT_EMPTY    (1u << 7)
#define USART_RECEIVER          (1u << 2)
#define USART_TRANSMITTER       (1u << 3)
#define USART_RECEIVE_INTERRUPT (1u << 5)
#define USART_ENABLE            (1u << 13)

/* The register holds clocks per bit: 16 times the divider of a clock that is divided by 16. */
static inline void usart_start(struct usart *usart, uint32_t clock_hz, uint32_t baud)
{
	usart->baud_rate = (clock_hz + baud / 2u) / baud;
	usart->control1 = USART_ENABLE | USART_TRANSMITTER | USART_RECEIVER | USART_RECEIVE_INTERRUPT;
}

static inline bool usart_transmit(struct usart *usart, uint8_t byte)
{
	if ((usart->status & USART_TRANSMIT_EMPTY) == 0)
		return false;
	usart->data = byte;
	return true;
}

/* Always reads both registers: this also ends the interrupt of an overrun, for which there is no byte. */
static inline void usart_receive(struct usart *usart)
{
	uint32_t status = usart->status;
	uint8_t byte = (uint8_t)usart->data;

	if (status & USART_RECEIVED)
		uart_received(byte);
}

#endif
