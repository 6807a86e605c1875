/* SPDX-License-Identifier: MIT */
/*
 * The LM3S6965 evaluation board: sampling by SysTick, work by timer 1, console on UART0, which the board forwards
 * through USB. Register facts: LM3S6965 data sheet, chapters System Control, General-Purpose Input/Outputs,
 * General-Purpose Timers, UARTs and (interrupt numbers) Interrupts.
 *
 * The general-purpose timers are not suitable for sampling: they restart when they get another period, and QEMU's
 * models of them cannot be read.
 */
#include "board.h"

#include "nvic.h"
#include "pl011.h"

#define BAREPROF_TIMER_REMAINING __attribute__((weak))
#include <bareprof/timer_systick.h>

#define REGISTER(address) (*(volatile uint32_t *)(address))

#define SYSTEM_CLOCK_HZ 50000000u
#define CONSOLE_BAUD    115200u

/* System Control. */
#define RIS   REGISTER(0x400FE050u)
#define RCC   REGISTER(0x400FE060u)
#define RCGC1 REGISTER(0x400FE104u)
#define RCGC2 REGISTER(0x400FE108u)

#define RIS_PLL_LOCKED          (1u << 6)
#define RCC_MAIN_OSCILLATOR_OFF (1u << 0)
#define RCC_SOURCE              (3u << 4) /* 0: the main oscillator */
#define RCC_CRYSTAL             (0xFu << 6)
#define RCC_CRYSTAL_8_MHZ       (0xEu << 6) /* the board's crystal */
#define RCC_BYPASS              (1u << 11)
#define RCC_PLL_OFF             (1u << 13)
#define RCC_USE_DIVISOR         (1u << 22)
#define RCC_DIVISOR             (0xFu << 23)
#define RCC_DIVISOR_4           (3u << 23) /* divides the PLL's 200 MHz */
#define RCGC1_UART0             (1u << 0)
#define RCGC1_TIMER1            (1u << 17)
#define RCGC2_GPIOA             (1u << 0)

/* The main oscillator needs up to 20 ms to start; an iteration takes at least 3 clocks of 12 MHz. */
#define OSCILLATOR_START_LOOPS 80000u

/* General-Purpose Timers. */
#define TIMER1           0x40031000u
#define TIMER1_INTERRUPT 21u

#define TIMER_CONFIGURATION(base)   REGISTER((base) + 0x000u)
#define TIMER_A_MODE(base)          REGISTER((base) + 0x004u)
#define TIMER_CONTROL(base)         REGISTER((base) + 0x00Cu)
#define TIMER_INTERRUPT_MASK(base)  REGISTER((base) + 0x018u)
#define TIMER_INTERRUPT_CLEAR(base) REGISTER((base) + 0x024u)
#define TIMER_A_LOAD(base)          REGISTER((base) + 0x028u)

#define CONFIGURATION_32_BIT 0u
#define MODE_PERIODIC        2u
#define TIMER_A              1u /* enable, time-out interrupt */

/* General-Purpose Input/Outputs, UARTs: pin A0 is the receiver, A1 the transmitter. */
#define GPIOA_FUNCTION REGISTER(0x40004420u)
#define GPIOA_DIGITAL  REGISTER(0x4000451Cu)
#define CONSOLE_PINS   (3u << 0)
#define UART0          ((struct pl011 *)0x4000C000u)

#define UART0_INTERRUPT 5u

BAREPROF_TIMER_SYSTICK(SysTick_Handler);

static void console_interrupt(void)
{
	pl011_receive(UART0);
}

__attribute__((section(".vectors.interrupts"), used)) static void (*const interrupt_vectors[])(void) = {
        [TIMER1_INTERRUPT] = work_interrupt,
        [UART0_INTERRUPT] = console_interrupt,
};

/* Follows the sequence of the chapter System Control, Initialization and Configuration. */
static void start_clock(void)
{
	RCC = (RCC | RCC_BYPASS) & ~(RCC_USE_DIVISOR | RCC_MAIN_OSCILLATOR_OFF);
	for (volatile uint32_t loop = 0; loop < OSCILLATOR_START_LOOPS; loop++)
		;
	RCC = (RCC & ~(RCC_CRYSTAL | RCC_SOURCE | RCC_PLL_OFF)) | RCC_CRYSTAL_8_MHZ;
	RCC = (RCC & ~RCC_DIVISOR) | RCC_DIVISOR_4 | RCC_USE_DIVISOR;
	while ((RIS & RIS_PLL_LOCKED) == 0)
		;
	RCC &= ~RCC_BYPASS;
}

static void start_timer(uint32_t base, uint32_t clocks)
{
	TIMER_CONTROL(base) = 0;
	TIMER_CONFIGURATION(base) = CONFIGURATION_32_BIT;
	TIMER_A_MODE(base) = MODE_PERIODIC;
	TIMER_A_LOAD(base) = clocks - 1u;
	TIMER_INTERRUPT_CLEAR(base) = TIMER_A;
	TIMER_INTERRUPT_MASK(base) = TIMER_A;
	TIMER_CONTROL(base) = TIMER_A;
}

void board_init(void)
{
	start_clock();
	RCGC1 |= RCGC1_UART0 | RCGC1_TIMER1;
	RCGC2 |= RCGC2_GPIOA;
	(void)RCGC2; /* a module may be used only a few clocks after its clock was enabled */
	nvic_enable(TIMER1_INTERRUPT, NVIC_PRIORITY_LOWEST);
	nvic_enable(UART0_INTERRUPT, NVIC_PRIORITY_MIDDLE);

	GPIOA_FUNCTION |= CONSOLE_PINS;
	GPIOA_DIGITAL |= CONSOLE_PINS;
	pl011_start(UART0, SYSTEM_CLOCK_HZ, CONSOLE_BAUD);
}

bool uart_transmit(uint8_t byte)
{
	return pl011_transmit(UART0, byte);
}

void board_sampling_start(uint32_t period)
{
	bareprof_timer_set(period);
}

void board_work_start(uint32_t microseconds)
{
	start_timer(TIMER1, microseconds * (SYSTEM_CLOCK_HZ / 1000000u));
}

void board_work_acknowledge(void)
{
	TIMER_INTERRUPT_CLEAR(TIMER1) = TIMER_A;
}
