/* SPDX-License-Identifier: MIT */
/* Vectors and console of an nRF51822 (nRF51 Series Reference Manual 3.0, chapter UART). QEMU has loaded .data. */
#include "board.h"

#define UART(offset) (*(volatile uint32_t *)(0x40002000u + (offset)))

void reset(void);
void timer_interrupt(void);

__attribute__((section(".entry"))) const struct {
	uint32_t stack;
	void (*reset)(void);
	void (*unused[14])(void);
	void (*interrupts[9])(void);
} entry = {.stack = 0x20004000, .reset = reset, .interrupts = {[8] = timer_interrupt}};

void reset(void)
{
	main();
}

void say(const char *text)
{
	UART(0x500u) = 4; /* ENABLE */
	UART(0x008u) = 1; /* STARTTX */
	for (; *text != 0; text++) {
		UART(0x11Cu) = 0;
		UART(0x51Cu) = (uint8_t)*text;
		while (UART(0x11Cu) == 0) /* TXDRDY */
			;
	}
}
