/* SPDX-License-Identifier: MIT */
/*
 * The console of all MPS boards, on UART0. Registers: cmsdk.h; address, interrupt and clock: devices.h of the board's
 * image.
 */
#include "console.h"

#include "devices.h"
#include "nvic.h"
#include "uart.h"

#define CONSOLE_BAUD 115200u

void console_start(void)
{
	UART0->divider = UART_CLOCK_HZ / CONSOLE_BAUD;
	UART0->control = CMSDK_UART_TRANSMIT_ENABLE | CMSDK_UART_RECEIVE_ENABLE | CMSDK_UART_RECEIVE_INTERRUPT;
	nvic_enable(UART0_INTERRUPT, NVIC_PRIORITY_MIDDLE);
}

/* Clears the request first: a byte that arrives after the buffer was read raises it again. */
void console_interrupt(void)
{
	UART0->interrupt_clear = CMSDK_UART_RECEIVE_CLEAR;
	while (UART0->state & CMSDK_UART_RECEIVE_FULL)
		uart_received((uint8_t)UART0->data);
}

bool uart_transmit(uint8_t byte)
{
	if (UART0->state & CMSDK_UART_TRANSMIT_FULL)
		return false;
	UART0->data = byte;
	return true;
}
