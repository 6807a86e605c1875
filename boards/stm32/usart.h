/* SPDX-License-Identifier: MIT */
/* The transmitter of an STM32 USART, the same on F1 and F4: RM0008 27.6, RM0041 23.6, RM0090 30.6. Knows nothing of
 * clocks and pins. */
#ifndef BOARDS_STM32_USART_H
#define BOARDS_STM32_USART_H

#include <stdint.h>

struct usart {
	volatile uint32_t status;
	volatile uint32_t data;
	volatile uint32_t baud_rate;
	volatile uint32_t control1;
};

#define USART_TRANSMIT_EMPTY (1u << 7)
#define USART_TRANSMITTER    (1u << 3)
#define USART_ENABLE         (1u << 13)

/* The register holds 16 times the divider of a clock that is divided by 16: clocks per bit. */
static inline void usart_start(struct usart *usart, uint32_t clock_hz, uint32_t baud)
{
	usart->baud_rate = (clock_hz + baud / 2u) / baud;
	usart->control1 = USART_ENABLE | USART_TRANSMITTER;
}

static inline void usart_write(struct usart *usart, const char *text)
{
	for (; *text != '\0'; text++) {
		while ((usart->status & USART_TRANSMIT_EMPTY) == 0)
			;
		usart->data = (uint8_t)*text;
	}
}

#endif
