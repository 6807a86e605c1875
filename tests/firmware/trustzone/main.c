/* SPDX-License-Identifier: MIT */
/*
 * Code in both security states under one profiler. In a Secure image the sampling interrupt is Secure, and a Non-secure
 * interrupt comes in between; in a Non-secure image all interrupts are Non-secure. Macros: PROCESS_STACK for thread
 * modes on process stacks; COPIES_SECURE_STACK, in a Secure image, 0 for slices without Secure stacks; CHAINED, in a
 * Secure image, for a Non-secure interrupt that the sampling interrupt has to wait for, and is then chained to.
 */
#include "board.h"
#include "nvic.h"
#include "states.h"
#include "thread.h"
#include "worlds.h"

#include <bareprof/bareprof.h>
#include <stdbool.h>

#ifndef ROUNDS
#define ROUNDS 12000u
#endif
#ifndef SAMPLE_PERIOD
#define SAMPLE_PERIOD BOARD_SAMPLING_PERIOD
#endif
#define WORK_MICROSECONDS 997u

extern const char other_state_start[];
extern const char other_state_end[];
extern const char other_stack_top[];

/* Process stacks are in RAM, too. A Non-secure handler reads no stack of the other state. */
#if BAREPROF_STACKS != 0
#ifndef COPIES_SECURE_STACK
#define COPIES_SECURE_STACK true
#endif
extern const char bss_start[], stack_top[], other_stack_bottom[];
#define STATE_STACKS                                                               \
	.stacks = {{bss_start, stack_top}, {other_stack_bottom, other_stack_top}}, \
	.copies_secure_stack = COPIES_SECURE_STACK
#else
#define STATE_STACKS
#endif

/* The last range is the address that stands for Secure code, which the handler cannot read. */
BAREPROF_DEFINE(BOARD_ARCS, BOARD_SAMPLES, .board = BOARD_NAME, .clock_hz = BOARD_SAMPLING_CLOCK_HZ,
                .period = SAMPLE_PERIOD, .set_period = board_sampling_start,
                .counts_missed_ticks = BOARD_COUNTS_MISSED_TICKS,
                .ranges = {{bareprof_text_start, bareprof_text_end},
                           {other_state_start, other_state_end},
                           {(const char *)BAREPROF_PC_SECURE, (const char *)BAREPROF_PC_SECURE + 1}},
                STATE_STACKS);

#if BAREPROF_PATHS != 0
BAREPROF_UNWIND_TABLE(4096);
#endif

static volatile uint32_t interrupts;

#ifdef BOARD_IS_NONSECURE

void work_interrupt(void)
{
	board_work_acknowledge();
	interrupts = interrupts + 1u;
	own_work(interrupts);
}

static void prepare_other_state(void)
{
}

static void start_interrupts(void)
{
	board_sampling_start(SAMPLE_PERIOD);
	board_work_start(WORK_MICROSECONDS);
}

static bool interrupts_came(void)
{
	return interrupts > 50u;
}

#else

#include "devices.h"

#define VTOR_NS         (*(volatile uint32_t *)0xE002ED08u) /* Armv8-M ARM D1.2 */
#define TIMER1_RELEASED ((struct cmsdk_timer *)0x40001000u)

#define OTHER_STACK_TOP   ((uintptr_t)other_stack_top)
#define OTHER_STACK_BYTES 4096u

/* Replaced by the interrupt of the other state. */
void work_interrupt(void)
{
	interrupts = interrupts + 1u;
}

OTHER_STATE static void other_interrupt(void)
{
	uint32_t value = 0;

	TIMER1_RELEASED->interrupt_clear = 1;
	for (uint32_t i = 0; i < 900u; i++)
		__asm volatile("add %0, %0, %1" : "+r"(value) : "r"(i));
}

__attribute__((section(".other_state.vectors"), used)) static void (*const other_vectors[])(void) = {
        [16u + TIMER1_INTERRUPT] = other_interrupt,
};

static void prepare_other_state(void)
{
	worlds_split();
	VTOR_NS = (uint32_t)other_state_start;
	__asm volatile("msr msp_ns, %0" : : "r"(OTHER_STACK_TOP));
#ifdef PROCESS_STACK
	__asm volatile("msr psp_ns, %0\n\tmsr control_ns, %1" : : "r"(OTHER_STACK_TOP - OTHER_STACK_BYTES), "r"(0x2u));
#endif
}

static void start_interrupts(void)
{
#ifdef CHAINED
	nvic_enable(TIMER1_INTERRUPT, NVIC_PRIORITY_HIGHEST);
#endif
	board_sampling_start(SAMPLE_PERIOD);
	board_work_start(WORK_MICROSECONDS);
	worlds_release_timers(0x2u);
}

static bool interrupts_came(void)
{
	return interrupts == 0;
}

#endif

static uint32_t total;

static void work(void)
{
	start_interrupts();
	bareprof_start();
	for (uint32_t round = 0; round < ROUNDS; round++)
		total += own_work(round + total) + call_other(round ^ total);
	bareprof_stop();
}

int main(void)
{
	board_init();
	bareprof_init();
	prepare_other_state();
	run_thread(work);
	/* A debugger has the memory access of the code it halts, which from here on is that of this state. */
	core_interrupts_save();
	board_console_write(interrupts_came() ? "demo: done\n" : "demo: failed\n");
	board_idle();
}
