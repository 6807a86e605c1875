/* SPDX-License-Identifier: MIT */
/*
 * The machine timer of a RISC-V hart as the sampling timer (privileged architecture 3.2.1), if nothing else uses it. In
 * QEMU it runs on "virt", with 32 and 64 bits, and on the HiFive1.
 *
 *	BAREPROF_TIMER_MTIMER(timer_interrupt, 0x0200BFF8, 0x02004000);
 *
 * Handler, addresses of mtime and mtimecmp. The handler is entry 7 of the vector table or, if no other interrupt is
 * enabled, mtvec points to it. bareprof_timer_start() enables the timer's interrupt; your code enables interrupts
 * globally, in mstatus. .clock_hz is the clock of mtime; .counts_missed_ticks is true.
 *
 * BAREPROF_TIMER_MTIMER_OF_HART is for several harts: its mtimecmp may be an expression that depends on the hart which
 * executes it, 0x02004000 + 8 * hart_number(). Its handler takes about one and a half times as many instructions.
 */
#ifndef BAREPROF_TIMER_MTIMER_H
#define BAREPROF_TIMER_MTIMER_H

#include <bareprof/timer.h>

#define BAREPROF_MTIMER_WORDS(address) ((volatile uint32_t *)(uintptr_t)(address))

/* 0x80 is MTIE of mie (privileged architecture 3.1.9). */
BAREPROF_INLINE void bareprof_mtimer_begin(uintptr_t mtime, uintptr_t mtimecmp, uint32_t period)
{
	bareprof_mtimer_start(BAREPROF_MTIMER_WORDS(mtime), BAREPROF_MTIMER_WORDS(mtimecmp), period);
	__asm__ volatile("csrs mie, %0" : : "r"(0x80));
}

#define BAREPROF_TIMER_MTIMER(handler, mtime, mtimecmp)                                              \
	BAREPROF_MTIMER_ISR(handler, BAREPROF_MTIMER_WORDS(mtime), BAREPROF_MTIMER_WORDS(mtimecmp)); \
	BAREPROF_TIMER_START(UINT32_MAX, bareprof_mtimer_begin(mtime, mtimecmp, period))             \
	BAREPROF_END_TIMER

#define BAREPROF_TIMER_MTIMER_OF_HART(handler, mtime, mtimecmp)                                                  \
	BAREPROF_TIMER(                                                                                          \
	        handler, UINT32_MAX,                                                                             \
	        bareprof_mtimer_set(BAREPROF_MTIMER_WORDS(mtime), BAREPROF_MTIMER_WORDS(mtimecmp), clock_units), \
	        BAREPROF_REGISTER(mtimecmp) - BAREPROF_REGISTER(mtime),                                          \
	        bareprof_mtimer_begin(mtime, mtimecmp, period))

#endif
