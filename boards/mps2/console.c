/* SPDX-License-Identifier: MIT */
/* The console of all MPS boards, on UART0. Registers: cmsdk.h; address and clock: devices.h of the board's image. Knows
 * nothing of the firmware. */
#include "console.h"

#include "board.h"
#include "devices.h"

#define CONSOLE_BAUD 115200u

void console_start(void)
{
	UART0->divider = UART_CLOCK_HZ / CONSOLE_BAUD;
	UART0->control = CMSDK_UART_TRANSMIT_ENABLE;
}

void board_console_write(const char *text)
{
	for (; *text != '\0'; text++) {
		while (UART0->state & CMSDK_UART_TRANSMIT_FULL)
			;
		UART0->data = (uint8_t)*text;
	}
}
