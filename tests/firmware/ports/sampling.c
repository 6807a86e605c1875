/* SPDX-License-Identifier: MIT */
/*
 * Sampling by the timers of the cores: SysTick on Arm, on RISC-V the machine timer, with one entry for all traps (mtvec
 * in direct mode, privileged architecture 3.1.7) in place of the board's vectors.
 */
#include "board.h"

void port_sampling_start(uint32_t period);

#ifdef __riscv

#include <bareprof/timer_mtimer.h>

#if __riscv_xlen == 64
#define STORE "sd"
#define LOAD  "ld"
#else
#define STORE "sw"
#define LOAD  "lw"
#endif

void trap(void);

/* The CLINT of every RISC-V board here (SiFive FU540-C000 manual, chapter CLINT). */
BAREPROF_TIMER_MTIMER(timer_trap, 0x0200BFF8, 0x02004000);

/* The only other trap is the board's external interrupt, whose handler saves all registers by itself. Of mcause
 * (3.1.15) the lowest bits suffice: 7 is the timer, 11 the external interrupt. */
BAREPROF_CODE(trap) __attribute__((used, naked, aligned(4))) void trap(void)
{
	__asm volatile("addi sp, sp, -16\n\t" STORE " t0, 0(sp)\n\t"
	               "csrr t0, mcause\n\t"
	               "andi t0, t0, 8\n\t"
	               "bnez t0, 1f\n\t" LOAD " t0, 0(sp)\n\t"
	               "addi sp, sp, 16\n\t"
	               "j timer_trap\n"
	               "1:\n\t" LOAD " t0, 0(sp)\n\t"
	               "addi sp, sp, 16\n\t"
	               "j external_interrupt");
}

void port_sampling_start(uint32_t period)
{
	__asm volatile("csrw mtvec, %0" : : "r"(trap));
	bareprof_timer_set(period);
}

#elif defined(BOARD_SAMPLES_BY_SYSTICK)

void port_sampling_start(uint32_t period)
{
	board_sampling_start(period);
}

#else

#include <bareprof/timer_systick.h>

BAREPROF_TIMER_SYSTICK(SysTick_Handler);

void port_sampling_start(uint32_t period)
{
	bareprof_timer_set(period);
}

#endif
