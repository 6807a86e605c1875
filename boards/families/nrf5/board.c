/* SPDX-License-Identifier: MIT */
/*
 * Boards with an nRF51 or nRF52: sampling by TIMER0, work by TIMER1, console on UART0 at the pins BOARD_TRANSMIT_PIN
 * and BOARD_RECEIVE_PIN. An nRF51 has no SysTick. Register facts: nRF51 Series Reference Manual 3.0, chapters TIMER,
 * UART and GPIO; nRF52840 Product Specification 1.1, sections 6.9 (GPIO), 6.30 (TIMER) and 6.33 (UART).
 */
#include "board.h"

#include "nvic.h"
#include "uart.h"

#include <bareprof/bareprof.h>

#define REGISTER(address) (*(volatile uint32_t *)(address))

#define TIMER0           0x40008000u
#define TIMER1           0x40009000u
#define TIMER0_INTERRUPT 8u
#define TIMER1_INTERRUPT 9u

#define TIMER_START(base)     REGISTER((base) + 0x000u)
#define TIMER_STOP(base)      REGISTER((base) + 0x004u)
#define TIMER_CLEAR(base)     REGISTER((base) + 0x00Cu)
#define TIMER_CAPTURE1(base)  REGISTER((base) + 0x044u)
#define TIMER_COMPARE0(base)  REGISTER((base) + 0x140u)
#define TIMER_SHORTS(base)    REGISTER((base) + 0x200u)
#define TIMER_INTENSET(base)  REGISTER((base) + 0x304u)
#define TIMER_MODE(base)      REGISTER((base) + 0x504u)
#define TIMER_BITMODE(base)   REGISTER((base) + 0x508u)
#define TIMER_PRESCALER(base) REGISTER((base) + 0x510u)
#define TIMER_CC0(base)       REGISTER((base) + 0x540u)
#define TIMER_CC1(base)       REGISTER((base) + 0x544u)

#define SHORT_COMPARE0_CLEAR 0x1u
#define INTERRUPT_COMPARE0   0x10000u
#define MODE_TIMER           0u
#define BITMODE_16           0u
#define BITMODE_32           3u /* on an nRF51: TIMER0 only */

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

/* The counter may pass a compare value nearer than this before it is written; the next match would then be minutes
 * away. */
#define NEAREST_CLOCKS 16u

/* The counter restarted at 0 when it last matched. */
static inline uint32_t clocks_since_sample(void)
{
	TIMER_CAPTURE1(TIMER0) = 1;
	return TIMER_CC1(TIMER0);
}

static void acknowledge_sampling(uint32_t clock_units)
{
	TIMER_COMPARE0(TIMER0) = 0;
	const uint32_t earliest = clocks_since_sample() + NEAREST_CLOCKS;
	TIMER_CC0(TIMER0) = clock_units > earliest ? clock_units : earliest;
}

BAREPROF_TIMER_ISR(board_sampling_interrupt, acknowledge_sampling)

__attribute__((weak)) uint32_t bareprof_timer_remaining(void)
{
	return TIMER_CC0(TIMER0) - clocks_since_sample();
}

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

/* Starts a timer at 16 MHz >> prescaler. It interrupts after this many clocks and begins again. */
static void start_timer(uint32_t base, uint32_t bit_mode, uint32_t prescaler, uint32_t clocks)
{
	TIMER_STOP(base) = 1;
	TIMER_CLEAR(base) = 1;
	TIMER_COMPARE0(base) = 0;
	TIMER_MODE(base) = MODE_TIMER;
	TIMER_BITMODE(base) = bit_mode;
	TIMER_PRESCALER(base) = prescaler;
	TIMER_CC0(base) = clocks;
	TIMER_SHORTS(base) = SHORT_COMPARE0_CLEAR;
	TIMER_INTENSET(base) = INTERRUPT_COMPARE0;
	TIMER_START(base) = 1;
}

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
	nvic_enable(TIMER0_INTERRUPT, NVIC_PRIORITY_HIGHEST);
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
	start_timer(TIMER0, BITMODE_32, 0, period);
}

void board_work_start(uint32_t microseconds)
{
	start_timer(TIMER1, BITMODE_16, 4, microseconds);
}

void board_work_acknowledge(void)
{
	TIMER_COMPARE0(TIMER1) = 0;
}
