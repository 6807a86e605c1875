/* SPDX-License-Identifier: MIT */
/*
 * Starts the second core of the AN521 image, and samples it by its own SysTick, because the first core uses the timers
 * of the board. Registers: SSE-200 TRM (Arm 101104), CPU_IDENTITY block and System control register block, at their
 * Secure addresses; SysTick: Armv8-M ARM B11.1.
 */
#include "second.h"

#include "board.h"

#include <bareprof/bareprof.h>

#define REGISTER(address) (*(volatile uint32_t *)(address))

#define CPU_IDENTITY_CPUID REGISTER(0x5001F000u)
#define INITSVTOR1         REGISTER(0x50021114u) /* vectors of core 1 after its reset, in the Secure state */
#define CPUWAIT            REGISTER(0x50021118u) /* a bit for each core; 1: it is held in reset */
#define CPUWAIT_CORE_1     0x2u

#define SYST_CSR          REGISTER(0xE000E010u)
#define SYST_RVR          REGISTER(0xE000E014u)
#define SYST_CVR          REGISTER(0xE000E018u)
#define SYST_CSR_ENABLE   0x1u
#define SYST_CSR_TICKINT  0x2u
#define SYST_CSR_OF_CORE  0x4u /* counts the clock of the core, which is MAINCLK too */
#define SYSTICK_EXCEPTION 15u

#define STACK_BYTES 4096u

static __attribute__((aligned(8))) uint8_t stack[STACK_BYTES];
static void (*second_core_function)(void);

static void second_core_begin(void)
{
	second_core_function();
}

/* The new reload value takes effect when the counter next wraps. */
static void set_next_distance(uint32_t clock_units)
{
	SYST_RVR = clock_units - 1u;
}

void second_core_sampling_interrupt(void);
BAREPROF_TIMER_ISR(second_core_sampling_interrupt, set_next_distance)

/* Armv8-M ARM B3.30: aligned to its size, rounded up to a power of two, and to 128 bytes by INITSVTOR1. */
static __attribute__((aligned(128))) const struct {
	void *initial_stack;
	void (*handlers[SYSTICK_EXCEPTION])(void);
} second_vectors = {
        stack + sizeof stack,
        {[0] = second_core_begin, [SYSTICK_EXCEPTION - 1] = second_core_sampling_interrupt},
};

void board_second_core_start(void (*function)(void))
{
	second_core_function = function;
	INITSVTOR1 = (uint32_t)&second_vectors;
	__asm volatile("dsb" : : : "memory");
	CPUWAIT &= ~CPUWAIT_CORE_1;
}

uint32_t bareprof_core_number(void)
{
	return CPU_IDENTITY_CPUID;
}

uint32_t second_core_sampling_remaining(void)
{
	return SYST_CVR;
}

void second_core_sampling_start(uint32_t period)
{
	SYST_RVR = period - 1u;
	SYST_CVR = 0;
	SYST_CSR = SYST_CSR_OF_CORE | SYST_CSR_TICKINT | SYST_CSR_ENABLE;
}
