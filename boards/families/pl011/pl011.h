/* SPDX-License-Identifier: MIT */
/* Arm's PrimeCell UART (PL011, Arm DDI 0183, chapter 3), which several vendors build in. */
#ifndef BOARDS_PL011_PL011_H
#define BOARDS_PL011_PL011_H

#include "uart.h"

#include <stdint.h>

struct pl011 {
	volatile uint32_t data;
	volatile uint32_t unused[5];
	volatile uint32_t flags;
	volatile uint32_t more_unused[2];
	volatile uint32_t divisor;  /* integer part of the divisor, */
	volatile uint32_t fraction; /* and its fraction, in 64ths */
	volatile uint32_t line;
	volatile uint32_t control;
	volatile uint32_t fifo_level; /* reset value: interrupt when half full */
	volatile uint32_t interrupt_mask;
};

#define PL011_RECEIVE_EMPTY      (1u << 4)
#define PL011_TRANSMIT_FULL      (1u << 5)
#define PL011_8_BITS_FIFO        0x70u
#define PL011_ENABLE             0x301u /* UART, transmitter and receiver */
#define PL011_RECEIVE_INTERRUPTS 0x050u /* the FIFO is half full, or holds bytes and none has arrived for a while */

/* The divisor is the number of clocks in a sixteenth of a bit. The line register is written last, because that latches
 * both parts of the divisor. */
static inline void pl011_start(struct pl011 *uart, uint32_t clock_hz, uint32_t baud)
{
	uart->divisor = clock_hz / (16u * baud);
	uart->fraction = (clock_hz * 4u + baud / 2u) / baud % 64u;
	uart->line = PL011_8_BITS_FIFO;
	uart->control = PL011_ENABLE;
	uart->interrupt_mask = PL011_RECEIVE_INTERRUPTS;
}

static inline bool pl011_transmit(struct pl011 *uart, uint8_t byte)
{
	if (uart->flags & PL011_TRANSMIT_FULL)
		return false;
	uart->data = byte;
	return true;
}

/* An empty FIFO ends both interrupts (chapter 2, Interrupts). */
static inline void pl011_receive(struct pl011 *uart)
{
	while ((uart->flags & PL011_RECEIVE_EMPTY) == 0)
		uart_received((uint8_t)uart->data);
}

#endif
