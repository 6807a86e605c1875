/* SPDX-License-Identifier: MIT */
/*
 * A general-purpose or basic timer of a CH32V103, CH32V203 or CH32V307 as the sampling timer: its registers are an
 * STM32's, and those of its interrupt controller, the PFIC, an NVIC's (ch32v30x.h, core_riscv.h). Compiled in
 * tests, never run on hardware or an emulator.
 *
 *	BAREPROF_TIMER_CH32V(TIM2_IRQHandler, 0x40000000, 16, 44, 0x4002101C, 1u << 0);
 *
 * The arguments are those of BAREPROF_TIMER_STM32. WCH's startup files need no change: the vector table may have jumps
 * (CH32V103) or addresses. The handler saves the registers that it changes, and returns by mret. So hardware stacking
 * is not needed; it may be on, but costs time (QingKe V3 and V4 manuals, hardware prologue/epilogue). Other handlers
 * are sampled if interrupts nest (INTSYSCR, which startup files set, or PFIC_CFGR of a CH32V103) and NVIC_Init() or
 * NVIC_SetPriority() gives theirs a lower preemption priority; after reset, all have the highest.
 */
#ifndef BAREPROF_TIMER_CH32V_H
#define BAREPROF_TIMER_CH32V_H

#include <bareprof/timer_stm32.h>

#define BAREPROF_TIMER_CH32V BAREPROF_TIMER_STM32

#endif
