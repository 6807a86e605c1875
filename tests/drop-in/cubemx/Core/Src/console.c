/* SPDX-License-Identifier: MIT */
/* USART6 at 115,200 baud: PC6 sends, PC7 receives (RM0090 30.6, 8.4). */
#include "main.h"

#define REGISTER(address) (*(volatile uint32_t *)(address))

void console_init(void)
{
	REGISTER(0x40023830u) |= 1u << 2; /* RCC_AHB1ENR: GPIOC */
	REGISTER(0x40023844u) |= 1u << 5; /* RCC_APB2ENR: USART6 */
	REGISTER(0x40020820u) |= 8u << 24 | 8u << 28;
	REGISTER(0x40020800u) |= 2u << 12 | 2u << 14;
	REGISTER(0x40011408u) = 16000000u / 115200u;
	REGISTER(0x4001140Cu) = 0x200Cu; /* UE, TE, RE */
}

void console_write(const char *text)
{
	for (; *text != 0; text++) {
		while ((REGISTER(0x40011400u) & 0x80u) == 0)
			;
		REGISTER(0x40011404u) = (uint8_t)*text;
	}
}
