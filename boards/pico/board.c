/* SPDX-License-Identifier: MIT */
/*
 * The Raspberry Pi Pico (RP2040), core 0: work by alarm 1 of the timer, console on UART0, pins GP0 (which sends) and
 * GP1. All clocks are the crystal's 12 MHz. Register facts: RP2040 data sheet, the sections named below.
 */
#include "board.h"

#include "alarm.h"
#include "nvic.h"
#include "pl011.h"

/* RP2040 data sheet 2.4.8: the address of the vectors, which are not at 0. */
#define REGISTER(address) (*(volatile uint32_t *)(address))

#define VECTOR_TABLE REGISTER(0xE000ED08u)

#define CRYSTAL_HZ   12000000u
#define CONSOLE_BAUD 115200u
/* 2.16.7 */
#define XOSC_CONTROL REGISTER(0x40024000u)
#define XOSC_STATUS  REGISTER(0x40024004u)
#define XOSC_ENABLE  (0xFABu << 12 | 0xAA0u) /* 1 to 15 MHz */
#define XOSC_STABLE  (1u << 31)
/* 2.15.7. clk_sys follows clk_ref from reset on. */
#define CLOCK_REFERENCE          REGISTER(0x40008030u)
#define CLOCK_REFERENCE_SELECTED REGISTER(0x40008038u)
#define CLOCK_PERIPHERALS        REGISTER(0x40008048u)
#define REFERENCE_CRYSTAL        2u
#define PERIPHERALS_ENABLE       (1u << 11) /* from clk_sys */
/* 2.14.3, through the alias that clears bits of the register (2.1.2). */
#define RESET_CLEAR     REGISTER(0x4000F000u)
#define RESET_DONE      REGISTER(0x4000C008u)
#define RESETS_OF_BOARD (1u << 5 | 1u << 8 | 1u << 21 | 1u << 22) /* IO_BANK0, PADS_BANK0, TIMER, UART0 */

/* 4.7.6: the timer counts ticks that the watchdog divides from clk_ref. */
#define WATCHDOG_TICK    REGISTER(0x4005802Cu)
#define TICK_MICROSECOND (1u << 9 | CRYSTAL_HZ / 1000000u)

/* 4.6.5 */
#define TIMER_DEBUG_PAUSE REGISTER(0x4005402Cu)
#define PAUSE_FOR_CORE_0  (1u << 1)

/* 2.19.6, 4.2.8 and 2.3.2. GP1 is pulled up, not down as after reset, so that the line is idle if nothing is
 * connected. */
#define GPIO0_CONTROL       REGISTER(0x40014004u)
#define GPIO1_CONTROL       REGISTER(0x4001400Cu)
#define GPIO1_PAD           REGISTER(0x4001C008u)
#define FUNCTION_UART       2u
#define PAD_INPUT_PULLED_UP 0x5Au
#define UART0               ((struct pl011 *)0x40034000u)
#define UART0_INTERRUPT     20u

static void console_interrupt(void)
{
	pl011_receive(UART0);
}

/* Weak, because boards/pico-systick samples with another timer. */
__attribute__((weak)) void board_sampling_interrupt(void);

__attribute__((section(".vectors.interrupts"), used)) static void (*const interrupt_vectors[])(void) = {
        [ALARM_SAMPLING] = board_sampling_interrupt,
        [ALARM_WORK] = work_interrupt,
        [UART0_INTERRUPT] = console_interrupt,
};

static void start_clock(void)
{
	XOSC_CONTROL = XOSC_ENABLE;
	while ((XOSC_STATUS & XOSC_STABLE) == 0)
		;
	CLOCK_REFERENCE = REFERENCE_CRYSTAL;
	while ((CLOCK_REFERENCE_SELECTED & 1u << REFERENCE_CRYSTAL) == 0)
		;
	CLOCK_PERIPHERALS = PERIPHERALS_ENABLE;
	WATCHDOG_TICK = TICK_MICROSECOND;
	RESET_CLEAR = RESETS_OF_BOARD;
	while ((RESET_DONE & RESETS_OF_BOARD) != RESETS_OF_BOARD)
		;
}

void board_init(void)
{
	extern const char vectors_start[];

	VECTOR_TABLE = (uint32_t)vectors_start;
	start_clock();
	/* By default the timer also stops while a debugger halts core 1, which this firmware does not start. */
	TIMER_DEBUG_PAUSE = PAUSE_FOR_CORE_0;
	nvic_enable(UART0_INTERRUPT, NVIC_PRIORITY_MIDDLE);

	GPIO1_PAD = PAD_INPUT_PULLED_UP;
	GPIO0_CONTROL = FUNCTION_UART;
	GPIO1_CONTROL = FUNCTION_UART;
	pl011_start(UART0, CRYSTAL_HZ, CONSOLE_BAUD);
}

bool uart_transmit(uint8_t byte)
{
	return pl011_transmit(UART0, byte);
}

static struct bareprof_rp2 work_alarm;

void board_work_start(uint32_t microseconds)
{
	bareprof_rp2_start(&work_alarm, ALARM_TIMER, ALARM_WORK, ALARM_INTR, microseconds);
	nvic_enable(ALARM_WORK, NVIC_PRIORITY_LOWEST);
}

void board_work_acknowledge(void)
{
	BAREPROF_REGISTER(ALARM_TIMER + ALARM_INTR) = 1u << ALARM_WORK;
	(void)bareprof_rp2_next(&work_alarm, ALARM_TIMER, ALARM_WORK, work_alarm.period);
}
