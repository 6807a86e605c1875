/* SPDX-License-Identifier: MIT */
/*
 * From reset to main() on an Arm M-profile core, and the vectors that belong to the core. Each board adds the vectors
 * of its interrupts in .vectors.interrupts.
 */
#include "board.h"

#include <stdint.h>

typedef void (*vector)(void);

extern uint32_t stack_top[];
extern const uint32_t data_load_start[];
extern uint32_t data_start[], data_end[], bss_start[], bss_end[];
extern void (*const constructors_start[])(void);
extern void (*const constructors_end[])(void);

int main(void);
_Noreturn void reset_handler(void);
_Noreturn void unexpected_exception(void);
void pendsv_interrupt(void);

#ifdef __ARM_FP
/* Armv7-M ARM B3.2.20, Armv8-M ARM D1.2: full access to CP10 and CP11, the FPU. After reset it is denied. */
#define CPACR     (*(volatile uint32_t *)0xE000ED88u)
#define CPACR_FPU 0x00F00000u

static void fpu_enable(void)
{
	CPACR |= CPACR_FPU;
	__asm volatile("dsb\n\tisb" : : : "memory");
}
#else
static void fpu_enable(void)
{
}
#endif

__attribute__((weak)) void board_startup_hook(void)
{
}

_Noreturn void reset_handler(void)
{
	fpu_enable();
	board_startup_hook();
	for (uint32_t i = 0; data_start + i < data_end; i++)
		data_start[i] = data_load_start[i];
	for (uint32_t *word = bss_start; word < bss_end; word++)
		*word = 0;
	for (uint32_t i = 0; constructors_start + i < constructors_end; i++)
		constructors_start[i]();
	main();
	for (;;)
		core_wait();
}

/* Faults and unexpected interrupts end here, where a debugger finds them. */
_Noreturn void unexpected_exception(void)
{
	for (;;)
		;
}

/* Boards that use SysTick define their own. */
__attribute__((weak, alias("unexpected_exception"))) void SysTick_Handler(void);
/* Firmware that switches tasks defines its own. */
__attribute__((weak, alias("unexpected_exception"))) void pendsv_interrupt(void);

/* Armv7-M ARM B1.5.3; Armv6-M never takes the entries that it reserves. */
__attribute__((section(".vectors.core"), used)) static const struct {
	uint32_t *initial_stack;
	vector handlers[15];
} core_vectors = {
        stack_top,
        {
                reset_handler,
                unexpected_exception, /* NMI */
                unexpected_exception, /* HardFault */
                unexpected_exception, /* MemManage */
                unexpected_exception, /* BusFault */
                unexpected_exception, /* UsageFault */
                unexpected_exception, /* SecureFault, Armv8-M */
                0,
                0,
                0,
                unexpected_exception, /* SVCall */
                unexpected_exception, /* DebugMonitor */
                0,
                pendsv_interrupt,
                SysTick_Handler,
        },
};
