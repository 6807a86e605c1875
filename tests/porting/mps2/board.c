/* SPDX-License-Identifier: MIT */
/*
 * The firmware of the porting tests before bareprof came to it: vectors, startup and console of Arm's MPS2 with AN385
 * or AN386 (timer and UART: Arm DDI 0479, 4.3 and 4.6; addresses and interrupts: DAI 0385, DAI 0386).
 */
#include "board.h"

extern uint32_t stack_top[];
extern const uint32_t data_load_start[];
extern uint32_t data_start[], data_end[], bss_start[], bss_end[];

int main(void);
void Reset_Handler(void);
void Unexpected_Handler(void);
__attribute__((weak, alias("Unexpected_Handler"))) void SysTick_Handler(void);
__attribute__((weak, alias("Unexpected_Handler"))) void TIMER_Handler(void);
__attribute__((weak, alias("Unexpected_Handler"))) void UART0_Handler(void);

__attribute__((section(".vectors"), used)) static void *const vectors[16 + 11] = {
        [0] = stack_top,
        [1] = Reset_Handler,
        [2] = Unexpected_Handler,
        [3] = Unexpected_Handler,
        [4] = Unexpected_Handler,
        [5] = Unexpected_Handler,
        [6] = Unexpected_Handler,
        [15] = SysTick_Handler,
        [16 + TIMER_INTERRUPT] = TIMER_Handler,
        [16 + UART0_INTERRUPT] = UART0_Handler,
};

#define CPACR (*(volatile uint32_t *)0xE000ED88u) /* Armv7-M ARM B3.2.20 */

void Reset_Handler(void)
{
	const uint32_t *from = data_load_start;

	CPACR |= 0x00F00000u;
	for (uint32_t *to = data_start; to < data_end; to++)
		*to = *from++;
	for (uint32_t *word = bss_start; word < bss_end; word++)
		*word = 0;
	main();
	Unexpected_Handler();
}

void Unexpected_Handler(void)
{
	for (;;)
		;
}

void say(const char *text)
{
	UART0->BAUDDIV = 16;
	UART0->CTRL |= 1u;
	while (*text != '\0') {
		while (UART0->STATE & 1u)
			;
		UART0->DATA = (uint8_t)*text++;
	}
}
