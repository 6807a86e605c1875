/* SPDX-License-Identifier: MIT */
/*
 * The STM32VLDISCOVERY (STM32F100RB): sampling and work by SysTick, console on USART1, pins PA9 and PA10. Register
 * facts: RM0041, the sections named below.
 *
 * The chip has spare timers, but QEMU 7.2 emulates none of them. So TIM2 and TIM3 are off, and SysTick pends their
 * interrupts. A product would sample by TIM2 itself, as boards/bluepill does.
 */
#include "board.h"

#include "deadlines.h"
#include "f1_console.h"
#include "nvic.h"

#include <bareprof/bareprof.h>

/* RM0041 6.3: half of the internal oscillator's 8 MHz, times 6. */
#define RCC_CONTROL            REGISTER(0x40021000u)
#define RCC_CONFIGURATION      REGISTER(0x40021004u)
#define CONTROL_PLL_ON         (1u << 24)
#define CONFIGURATION_TIMES_6  (4u << 18)
#define CONFIGURATION_PLL      2u
#define CLOCKS_PER_MICROSECOND (BOARD_SAMPLING_CLOCK_HZ / 1000000u)

/* RM0041 8.1.2. */
#define TIM2_INTERRUPT 28u
#define TIM3_INTERRUPT 29u

/* The interrupt is pended by software, so there is nothing to clear. */
static void acknowledge_sampling(uint32_t clock_units)
{
	deadline_next(DEADLINE_SAMPLING, clock_units);
}

BAREPROF_TIMER_ISR(board_sampling_interrupt, acknowledge_sampling)

__attribute__((weak)) uint32_t bareprof_timer_remaining(void)
{
	return deadline_remaining(DEADLINE_SAMPLING);
}

__attribute__((section(".vectors.interrupts"), used)) static void (*const interrupt_vectors[])(void) = {
        [TIM2_INTERRUPT] = board_sampling_interrupt,
        [TIM3_INTERRUPT] = work_interrupt,
        [USART1_INTERRUPT] = console_interrupt,
};

/* Does not wait for the PLL: the switch takes place when the PLL is ready (RM0041 6.2.6). In QEMU, whose RCC does
 * nothing, a wait would never end. */
static void start_clock(void)
{
	RCC_CONFIGURATION = CONFIGURATION_TIMES_6;
	RCC_CONTROL |= CONTROL_PLL_ON;
	RCC_CONFIGURATION = CONFIGURATION_TIMES_6 | CONFIGURATION_PLL;
}

void board_init(void)
{
	start_clock();
	console_start(BOARD_SAMPLING_CLOCK_HZ);
	nvic_enable(TIM2_INTERRUPT, NVIC_PRIORITY_HIGHEST);
	nvic_enable(TIM3_INTERRUPT, NVIC_PRIORITY_LOWEST);
}

bool uart_transmit(uint8_t byte)
{
	return usart_transmit(USART1, byte);
}

void board_sampling_start(uint32_t period)
{
	deadline_start(DEADLINE_SAMPLING, TIM2_INTERRUPT, period);
}

void board_work_start(uint32_t microseconds)
{
	deadline_start(DEADLINE_WORK, TIM3_INTERRUPT, microseconds * CLOCKS_PER_MICROSECOND);
}

void board_work_acknowledge(void)
{
}
