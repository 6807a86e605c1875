/* SPDX-License-Identifier: MIT */
/*
 * The Blue Pill (STM32F103C8): sampling by TIM2, work by TIM3, console on USART1, pins PA9 and PA10. The clock
 * stays as after reset: 8 MHz from the internal oscillator on all buses. Registers: RM0008, the sections named below.
 */
#include "board.h"

#include "f1_console.h"
#include "nvic.h"

#define BAREPROF_TIMER_REMAINING __attribute__((weak))
#include <bareprof/timer_stm32.h>

#define CLOCK_HZ 8000000u

/* RM0008 7.3.8. */
#define RCC_APB1_ENABLE REGISTER(0x4002101Cu)
#define APB1_TIM3       (1u << 1)

/* RM0008 3.3 and 10.1.2. Both timers have 16 bits. */
#define TIM2           0x40000000u
#define TIM3           0x40000400u
#define TIM2_INTERRUPT 28u
#define TIM3_INTERRUPT 29u

BAREPROF_TIMER_STM32(board_sampling_interrupt, TIM2, 16, TIM2_INTERRUPT, 0x4002101Cu, 1u << 0);

__attribute__((section(".vectors.interrupts"), used)) static void (*const interrupt_vectors[])(void) = {
        [TIM2_INTERRUPT] = board_sampling_interrupt,
        [TIM3_INTERRUPT] = work_interrupt,
        [USART1_INTERRUPT] = console_interrupt,
};

void board_init(void)
{
	RCC_APB1_ENABLE |= APB1_TIM3;
	console_start(CLOCK_HZ);
	nvic_enable(TIM3_INTERRUPT, NVIC_PRIORITY_LOWEST);
}

bool uart_transmit(uint8_t byte)
{
	return usart_transmit(USART1, byte);
}

void board_sampling_start(uint32_t period)
{
	bareprof_timer_set(period);
}

void board_work_start(uint32_t microseconds)
{
	bareprof_stm32_start(TIM3, CLOCK_HZ / 1000000u, microseconds);
}

void board_work_acknowledge(void)
{
	BAREPROF_STM32_SR(TIM3) = ~1u;
}
