/* SPDX-License-Identifier: MIT */
/*
 * Exceptions on a RISC-V hart whose mtvec points to the sampling interrupt: they are passed on, and none of them is
 * sampled. Without HANDLED the last one reaches the library's default, which stops the hart. Prints a line per check
 * and ends the emulator.
 */
#include "../check.h"
#include "board.h"

#include <bareprof/bareprof.h>
#include <stdbool.h>

/* SiFive FU540-C000 manual, chapter CLINT. */
#define MTIME    ((volatile uint32_t *)0x0200BFF8u)
#define MTIMECMP ((volatile uint32_t *)0x02004000u)

#define PERIOD     BOARD_SAMPLING_PERIOD
#define EXCEPTIONS 1000u
/* The first ticks, before any exception. */
#define TICKS_BEFORE 20u
/* Privileged architecture 3.1.15, table 3.6. */
#define CAUSE_ILLEGAL_INSTRUCTION 2u
#define CAUSE_ECALL_FROM_MACHINE  11u
/* The handler steps over the trapping instruction; those below have four bytes. */
#define TRAPPING_INSTRUCTION_BYTES 4u

BAREPROF_DEFINE(BOARD_ARCS, BOARD_SAMPLES, .board = BOARD_NAME, .clock_hz = BOARD_SAMPLING_CLOCK_HZ, .period = PERIOD,
                .counts_missed_ticks = true);

__attribute__((no_instrument_function)) static void next_sample(uint32_t clock_units)
{
	bareprof_mtimer_set(MTIME, MTIMECMP, clock_units);
}

BAREPROF_TIMER_ISR(only_trap_handler, next_sample)

void work_interrupt(void)
{
	board_work_acknowledge();
}

#ifdef HANDLED
static volatile uint32_t illegal_instructions;
static volatile uint32_t calls;

__attribute__((no_instrument_function)) void bareprof_other_trap(void)
{
	unsigned long cause;
	unsigned long pc;

	__asm volatile("csrr %0, mcause" : "=r"(cause));
	if (cause == CAUSE_ILLEGAL_INSTRUCTION)
		illegal_instructions++;
	else if (cause == CAUSE_ECALL_FROM_MACHINE)
		calls++;
	__asm volatile("csrr %0, mepc" : "=r"(pc));
	__asm volatile("csrw mepc, %0" : : "r"(pc + TRAPPING_INSTRUCTION_BYTES));
}

#endif

static void raise_exceptions(void)
{
	__asm volatile(".option push\n\t.option norvc\n\t"
	               ".word 0xFFFFFFFF\n\t" /* which no extension defines (unprivileged ISA 1.5) */
	               "ecall\n\t"
	               ".option pop");
}

static uint32_t ticks_due(uint32_t begin)
{
	return (MTIME[0] - begin) / PERIOD;
}

int main(void)
{
	board_init();
	bareprof_init();
	__asm volatile("csrw mtvec, %0" : : "r"(only_trap_handler));
	bareprof_mtimer_start(MTIME, MTIMECMP, PERIOD);
	bareprof_start();

	const uint32_t begin = MTIME[0];
	while (ticks_due(begin) < TICKS_BEFORE)
		;
#ifdef HANDLED
	for (uint32_t i = 0; i < EXCEPTIONS; i++)
		raise_exceptions();
	bareprof_stop();
	const uint32_t due = ticks_due(begin);
	const uint32_t ticks = *block_word(BAREPROF_OFFSET_TICKS);
	int failures =
	        check("each exception reaches the handler", illegal_instructions == EXCEPTIONS && calls == EXCEPTIONS);
	failures += check("only ticks are samples", ticks + 6 > due && ticks < due + 6);
	failures += check("exceptions miss no tick", *block_word(BAREPROF_OFFSET_TICKS_MISSED) == 0);
	board_exit(failures);
#else
	board_console_write("demo: done\n"); /* the profile is pulled after this */
	raise_exceptions();
	board_exit(1); /* not reached */
#endif
}
