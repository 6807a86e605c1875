/* SPDX-License-Identifier: MIT */
/*
 * Threads of Zephyr as contexts, named like the threads, idle and workqueues among them, and all interrupts as one.
 * Include it in one C file of the application, which so defines hooks of CONFIG_TRACING_USER. docs/RTOS-BUILDS.md has
 * the steps.
 */
#ifndef BAREPROF_ZEPHYR_H
#define BAREPROF_ZEPHYR_H

#include <bareprof/bareprof.h>
#include <zephyr/kernel.h>
#include <zephyr/tracing/tracing.h>

#if BAREPROF_CONTEXTS == 0
#error "bareprof: compile with -DBAREPROF_CONTEXTS=N, one for each thread, one for interrupts and one more"
#endif
#if !defined(CONFIG_TRACING_USER) || !defined(CONFIG_THREAD_NAME)
#error "bareprof: set CONFIG_TRACING=y, CONFIG_TRACING_USER=y and CONFIG_THREAD_NAME=y in prj.conf"
#endif
#ifdef CONFIG_SMP
#error "bareprof: bareprof/zephyr.h is for one core"
#endif

/* While threads are exchanged k_current_get() may still return the old one. The name is looked up at each switch, for
 * a thread has no field that is free for it. */
__attribute__((no_instrument_function)) void sys_trace_thread_switched_in_user(void)
{
	const char *name = k_thread_name_get(k_sched_current_thread_query());

	bareprof_context_enter(0, name != NULL ? name : "");
}

static uint32_t bareprof_interrupts;         /* the context */
static volatile uint32_t bareprof_depth;     /* of nested interrupts */
static volatile uint32_t bareprof_preempted; /* the context before the outermost of them */

/* After bareprof_init(), in main(). */
__attribute__((no_instrument_function)) static inline void bareprof_zephyr_start(void)
{
	bareprof_interrupts = bareprof_context_named("interrupts");
}

/* An interrupt may nest at any point here; it leaves all three as it found them, or with the context of interrupts in
 * the last one, which is read before the depth makes it valid for others. */
__attribute__((no_instrument_function)) void sys_trace_isr_enter_user(void)
{
	const uint32_t before = bareprof_context_switch(bareprof_interrupts);

	if (bareprof_depth++ == 0)
		bareprof_preempted = before;
}

__attribute__((no_instrument_function)) void sys_trace_isr_exit_user(void)
{
	const uint32_t before = bareprof_preempted;

	if (--bareprof_depth == 0)
		bareprof_context_restore(before);
}

#endif
