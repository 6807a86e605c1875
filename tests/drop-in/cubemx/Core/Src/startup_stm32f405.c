/* SPDX-License-Identifier: MIT */
/* The work of startup_stm32f405xx.s, in C, so that -pg reaches it as well. */
#include <stdint.h>

extern uint32_t _estack, _sidata, _sdata, _edata, _sbss, _ebss;

int main(void);
void SystemInit(void);
void Reset_Handler(void);
void Default_Handler(void);

#define HANDLER(name) void name(void) __attribute__((weak, alias("Default_Handler")))
HANDLER(NMI_Handler);
HANDLER(HardFault_Handler);
HANDLER(SVC_Handler);
HANDLER(PendSV_Handler);
HANDLER(SysTick_Handler);
HANDLER(TIM2_IRQHandler);
HANDLER(TIM5_IRQHandler);
HANDLER(USART6_IRQHandler);

void Default_Handler(void)
{
	for (;;)
		;
}

void Reset_Handler(void)
{
	uint32_t *from = &_sidata;

	SystemInit();
	for (uint32_t *to = &_sdata; to < &_edata; to++)
		*to = *from++;
	for (uint32_t *word = &_sbss; word < &_ebss; word++)
		*word = 0;
	main();
}

__attribute__((section(".isr_vector"), used)) static void (*const vectors[16 + 82])(void) = {
        [0] = (void (*)(void)) & _estack, [1] = Reset_Handler,         [2] = NMI_Handler,
        [3] = HardFault_Handler,          [11] = SVC_Handler,          [14] = PendSV_Handler,
        [15] = SysTick_Handler,           [16 + 28] = TIM2_IRQHandler, [16 + 50] = TIM5_IRQHandler,
        [16 + 71] = USART6_IRQHandler,
};
