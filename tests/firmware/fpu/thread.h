/* SPDX-License-Identifier: MIT */
/* Runs a function in thread mode: with PROCESS_STACK on the process stack, else where its caller is. */
#ifndef TESTS_FIRMWARE_FPU_THREAD_H
#define TESTS_FIRMWARE_FPU_THREAD_H

#include <stdint.h>

#ifdef PROCESS_STACK

#define THREAD_STACK_WORDS 256u

/* call_on_stack.S */
void call_on_stack(void (*function)(void), void *top);

static inline void run_thread(void (*function)(void))
{
	static uint64_t stack[THREAD_STACK_WORDS];

	call_on_stack(function, &stack[THREAD_STACK_WORDS]);
}

#else

static inline void run_thread(void (*function)(void))
{
	function();
}

#endif

#endif
