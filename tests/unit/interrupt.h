/* SPDX-License-Identifier: MIT */
/*
 * Interrupts between any two instructions, simulated by a signal: the trap flag of the processor counts instructions.
 * On x86-64 only.
 */
#ifndef UNIT_INTERRUPT_H
#define UNIT_INTERRUPT_H

#ifdef __x86_64__

#include "test.h"

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <ucontext.h>

#define TRAP_FLAG 0x100

/*
 * A sanitized build executes some three instructions for each one of the plain build, and a trap of each would cost
 * nine times as much. The plain build interrupts each instruction; the sanitized one each fifth, the usual length of
 * the check of one access to memory.
 */
#ifndef __has_feature
#define __has_feature(feature) 0
#endif
#if __has_feature(address_sanitizer)
#define INSTRUCTIONS_PER_STEP 5
#else
#define INSTRUCTIONS_PER_STEP 1
#endif

static void (*interrupt_action)(void);
static volatile uint32_t instructions_until_interrupt;
static volatile uint32_t interrupts;

static void on_instruction(int signal, siginfo_t *info, void *context)
{
	ucontext_t *interrupted = context;

	(void)signal;
	(void)info;
	if (instructions_until_interrupt-- != 0)
		return;
	interrupted->uc_mcontext.gregs[REG_EFL] &= ~TRAP_FLAG;
	interrupts++;
	interrupt_action();
}

static inline void catch_instructions(void)
{
	struct sigaction action = {.sa_sigaction = on_instruction, .sa_flags = SA_SIGINFO};

	assert_int_equal(sigaction(SIGTRAP, &action, NULL), 0);
}

/* The trap flag (bit 8) traps after each instruction that follows. The kernel clears it while the handler runs. The
 * red zone below the stack pointer is stepped over. */
static inline void trace_on(void)
{
	__asm__ volatile("sub $128, %%rsp\n\tpushfq\n\torq $0x100, (%%rsp)\n\tpopfq\n\tadd $128, %%rsp"
	                 :
	                 :
	                 : "memory", "cc");
}

static inline void trace_off(void)
{
	__asm__ volatile("sub $128, %%rsp\n\tpushfq\n\tandq $~0x100, (%%rsp)\n\tpopfq\n\tadd $128, %%rsp"
	                 :
	                 :
	                 : "memory", "cc");
}

/*
 * The next run of a loop that interrupts work after each of its instructions in turn: prepare(), then work() with one
 * interrupt, `step` instructions (times INSTRUCTIONS_PER_STEP) later than in the run before. False, with nothing to
 * check, once work() has ended first.
 */
static inline bool interrupted_in_steps(uint32_t step, void (*prepare)(void), void (*work)(void), void (*action)(void))
{
	static uint32_t instructions;

	if (instructions == 0)
		catch_instructions();
	prepare();
	interrupt_action = action;
	instructions_until_interrupt = instructions;
	interrupts = 0;
	trace_on();
	work();
	trace_off();
	if (interrupts == 1) {
		instructions += step * INSTRUCTIONS_PER_STEP;
		return true;
	}
	assert_true(instructions > 10);
	instructions = 0;
	return false;
}

static inline bool interrupted(void (*prepare)(void), void (*work)(void), void (*action)(void))
{
	return interrupted_in_steps(1, prepare, work, action);
}

#endif

#endif
