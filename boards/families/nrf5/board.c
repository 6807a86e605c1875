/* SPDX-License-Identifier: MIT */
/*
 * Boards with an nRF51 or nRF52: sampling by TIMER0, work by TIMER1, console on UART0 at the pins BOARD_TRANSMIT_PIN
 * and BOARD_RECEIVE_PIN. An nRF51 has no SysTick. Register facts: nRF51 Series Reference Manual 3.0, chapters TIMER,
 * UART and GPIO; nRF52840 Product Specification 1.1, sections 6.9 (GPIO), 6.30 (TIMER) and 6.33 (UART).
 */
#include "board.h"

#include "nvic.h"
#include "uart.h"

#define BAREPROF_TIMER_REMAINING __attribute__((weak))
#include <bareprof/timer_nrf.h>

#define REGISTER(address) (*(volatile uint32_t *)(address))

#define TIMER0           0x40008000u
#define TIMER1           0x40009000u
#define TIMER0_INTERRUPT 8u
#define TIMER1_INTERRUPT 9u

#define BITS_16 0u

#define UART0           0x40002000u
#define UART0_INTERRUPT 2u
#define UART_STARTRX    REGISTER(UART0 + 0x000u)
#define UART_STARTTX    REGISTER(UART0 + 0x008u)
#define UART_RXDRDY     REGISTER(UART0 + 0x108u)
#define UART_TXDRDY     REGISTER(UART0 + 0x11Cu)
#define UART_INTENSET   REGISTER(UART0 + 0x304u)
#define UART_ENABLE     REGISTER(UART0 + 0x500u)
#define UART_PSELTXD    REGISTER(UART0 + 0x50Cu)
#define UART_PSELRXD    REGISTER(UART0 + 0x514u)
#define UART_RXD        REGISTER(UART0 + 0x518u)
#define UART_TXD        REGISTER(UART0 + 0x51Cu)
#define UART_BAUDRATE   REGISTER(UART0 + 0x524u)

#define INTERRUPT_RXDRDY 0x4u
#define BAUD_115200      0x01D7E000u

#define GPIO_DIRSET       REGISTER(0x50000518u)
#define GPIO_PIN_CNF(pin) REGISTER(0x50000700u + 4u * (pin))
#define INPUT_PULLED_UP   0xCu /* so that the line is idle if nothing is connected */

static bool is_sending;

BAREPROF_TIMER_NRF(board_sampling_interrupt, TIMER0, TIMER0_INTERRUPT);

/* Reading RXD moves the next byte into it, which raises the event again. */
static void console_interrupt(void)
{
	while (UART_RXDRDY != 0) {
		UART_RXDRDY = 0;
		uart_received((uint8_t)UART_RXD);
	}
}

__attribute__((section(".vectors.interrupts"), used)) static void (*const interrupt_vectors[])(void) = {
        [UART0_INTERRUPT] = console_interrupt,
        [TIMER0_INTERRUPT] = board_sampling_interrupt,
        [TIMER1_INTERRUPT] = work_interrupt,
};

void board_init(void)
{
	GPIO_DIRSET = 1u << BOARD_TRANSMIT_PIN;
	GPIO_PIN_CNF(BOARD_RECEIVE_PIN) = INPUT_PULLED_UP;
	UART_PSELTXD = BOARD_TRANSMIT_PIN;
	UART_PSELRXD = BOARD_RECEIVE_PIN;
	UART_BAUDRATE = BAUD_115200;
	UART_ENABLE = 4;
	UART_INTENSET = INTERRUPT_RXDRDY;
	UART_STARTTX = 1;
	UART_STARTRX = 1;
	nvic_enable(UART0_INTERRUPT, NVIC_PRIORITY_MIDDLE);
	nvic_enable(TIMER1_INTERRUPT, NVIC_PRIORITY_LOWEST);
}

bool uart_transmit(uint8_t byte)
{
	if (is_sending && UART_TXDRDY == 0)
		return false;
	is_sending = true;
	UART_TXDRDY = 0;
	UART_TXD = byte;
	return true;
}

void board_sampling_start(uint32_t period)
{
	bareprof_timer_set(period);
}

void board_work_start(uint32_t microseconds)
{
	bareprof_nrf_start(TIMER1, BITS_16, 4, microseconds); /* 1 MHz */
}

void board_work_acknowledge(void)
{
	BAREPROF_NRF_COMPARE0(TIMER1) = 0;
}
