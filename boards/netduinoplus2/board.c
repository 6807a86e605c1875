/* SPDX-License-Identifier: MIT */
/*
 * The Netduino Plus 2 (STM32F405RG): sampling by TIM2, work by TIM5, console on USART6, pins D1 (which sends) and D0 of
 * the header. Register facts: RM0090, the sections named below.
 */
#include "board.h"

#include "nvic.h"
#include "usart.h"

#define BAREPROF_TIMER_REMAINING __attribute__((weak))
#include <bareprof/timer_stm32.h>

#define REGISTER(address) (*(volatile uint32_t *)(address))

/* RM0090 3.9.1: five wait states at 168 MHz, prefetch, both caches. */
#define FLASH_ACCESS_CONTROL REGISTER(0x40023C00u)
#define FLASH_FOR_168_MHZ    0x705u
/* RM0090 7.3. */
#define RCC_CONTROL           REGISTER(0x40023800u)
#define RCC_PLL_CONFIGURATION REGISTER(0x40023804u)
#define RCC_CONFIGURATION     REGISTER(0x40023808u)
#define RCC_AHB1_ENABLE       REGISTER(0x40023830u)
#define RCC_APB1_ENABLE       REGISTER(0x40023840u)
#define RCC_APB2_ENABLE       REGISTER(0x40023844u)
#define CONTROL_PLL_ON        (1u << 24)
/* From the internal oscillator: 16 MHz / 8 * 168 / 2 = 168 MHz. For USB, / 7 instead of / 2 gives 48 MHz. */
#define PLL_DIVIDERS    0x0F437FFFu
#define PLL_FOR_168_MHZ (7u << 24 | 0u << 16 | 168u << 6 | 8u)
/* APB1 at a quarter of that, APB2 at half; timers count at twice the clock of a divided bus (RM0090 7.2). */
#define CONFIGURATION_BUSES          (5u << 10 | 4u << 13)
#define CONFIGURATION_PLL            2u
#define APB2_CLOCK_HZ                84000000u
#define TIMER_CLOCKS_PER_MICROSECOND 84u
#define AHB1_GPIOC                   (1u << 2)
#define APB1_TIM5                    (1u << 3)
#define APB2_USART6                  (1u << 5)

/* RM0090 2.3 and table 62. TIM2 and TIM5 are the 32-bit timers. */
#define TIM2           0x40000000u
#define TIM5           0x40000C00u
#define TIM2_INTERRUPT 28u
#define TIM5_INTERRUPT 50u
#define USART6         ((struct usart *)0x40011400u)

/* RM0090 8.4: PC6 and PC7 as alternate function 8, which is USART6 (STM32F405 data sheet, table 9). PC7 is pulled up,
 * so that the line is idle if nothing is connected. */
#define GPIOC_MODE         REGISTER(0x40020800u)
#define GPIOC_PULL         REGISTER(0x4002080Cu)
#define GPIOC_FUNCTION_LOW REGISTER(0x40020820u)
#define TRANSMIT_PIN       6u
#define RECEIVE_PIN        7u
#define USART6_INTERRUPT   71u
#define CONSOLE_BAUD       115200u

BAREPROF_TIMER_STM32(board_sampling_interrupt, TIM2, 32, TIM2_INTERRUPT, 0x40023840u /* RCC_APB1ENR */, 1u << 0);

static void console_interrupt(void)
{
	usart_receive(USART6);
}

__attribute__((section(".vectors.interrupts"), used)) static void (*const interrupt_vectors[])(void) = {
        [TIM2_INTERRUPT] = board_sampling_interrupt,
        [TIM5_INTERRUPT] = work_interrupt,
        [USART6_INTERRUPT] = console_interrupt,
};

/* Does not wait for the PLL: the switch takes place when the PLL is ready (RM0090 7.2.6). In QEMU, whose RCC does
 * nothing, a wait would never end. */
static void start_clock(void)
{
	FLASH_ACCESS_CONTROL = FLASH_FOR_168_MHZ;
	RCC_PLL_CONFIGURATION = (RCC_PLL_CONFIGURATION & ~PLL_DIVIDERS) | PLL_FOR_168_MHZ;
	RCC_CONTROL |= CONTROL_PLL_ON;
	RCC_CONFIGURATION = CONFIGURATION_BUSES;
	RCC_CONFIGURATION = CONFIGURATION_BUSES | CONFIGURATION_PLL;
}

void board_init(void)
{
	start_clock();
	RCC_AHB1_ENABLE |= AHB1_GPIOC;
	RCC_APB1_ENABLE |= APB1_TIM5;
	RCC_APB2_ENABLE |= APB2_USART6;
	(void)RCC_APB2_ENABLE; /* two clocks pass before a device answers (RM0090 7.3.14) */
	GPIOC_PULL |= 1u << 2u * RECEIVE_PIN;
	GPIOC_FUNCTION_LOW |= 8u << 4u * TRANSMIT_PIN | 8u << 4u * RECEIVE_PIN;
	GPIOC_MODE |= 2u << 2u * TRANSMIT_PIN | 2u << 2u * RECEIVE_PIN;
	usart_start(USART6, APB2_CLOCK_HZ, CONSOLE_BAUD);
	nvic_enable(TIM5_INTERRUPT, NVIC_PRIORITY_LOWEST);
	nvic_enable(USART6_INTERRUPT, NVIC_PRIORITY_MIDDLE);
}

bool uart_transmit(uint8_t byte)
{
	return usart_transmit(USART6, byte);
}

void board_sampling_start(uint32_t period)
{
	bareprof_timer_set(period);
}

void board_work_start(uint32_t microseconds)
{
	bareprof_stm32_start(TIM5, 1, microseconds * TIMER_CLOCKS_PER_MICROSECOND);
}

void board_work_acknowledge(void)
{
	BAREPROF_STM32_SR(TIM5) = ~1u;
}
