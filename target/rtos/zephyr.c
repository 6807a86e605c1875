/* SPDX-License-Identifier: MIT */
/* The hooks of Zephyr's CONFIG_TRACING_USER, see <bareprof/zephyr.h>. */
#include <bareprof/zephyr.h>
#include <zephyr/kernel.h>
#include <zephyr/tracing/tracing.h>

#if BAREPROF_CONTEXTS == 0
#error "bareprof: set BAREPROF_CONTEXTS (CONFIG_BAREPROF_CONTEXTS in the Zephyr module) to the number of threads plus two"
#endif
#if !defined(CONFIG_TRACING_USER) || !defined(CONFIG_THREAD_NAME)
#error "bareprof: set CONFIG_TRACING=y, CONFIG_TRACING_USER=y and CONFIG_THREAD_NAME=y in prj.conf"
#endif
#ifdef CONFIG_SMP
#error "bareprof: threads as contexts do not support CONFIG_SMP"
#endif

/* During the switch k_current_get() may still return the old thread. The name is looked up at each switch, because a
 * thread has no free field for the number of its context. */
BAREPROF_CODE(sys_trace_thread_switched_in_user) void sys_trace_thread_switched_in_user(void)
{
	const char *name = k_thread_name_get(k_sched_current_thread_query());

	bareprof_context_enter(0, name != NULL ? name : "");
}

#if BAREPROF_STACKS != 0
#ifndef CONFIG_THREAD_STACK_INFO
#error "bareprof: set CONFIG_THREAD_STACK_INFO=y in prj.conf, so that the ends of stacks are known"
#endif

/* Above its first stack pointer a thread has thread-local storage (struct _thread_stack_info). */
BAREPROF_CODE(bareprof_zephyr_stack_end) uintptr_t bareprof_zephyr_stack_end(uintptr_t sp)
{
	const struct k_thread *thread = k_sched_current_thread_query();
	const uintptr_t start = thread->stack_info.start;
	const uintptr_t size = thread->stack_info.size - thread->stack_info.delta;

	return sp - start <= size ? start + size : 0;
}
#endif

static uint32_t bareprof_interrupts;         /* the context of interrupts */
static volatile uint32_t bareprof_depth;     /* number of nested interrupts */
static volatile uint32_t bareprof_preempted; /* the context that the outermost interrupt interrupted */

BAREPROF_CODE(bareprof_zephyr_start) void bareprof_zephyr_start(void)
{
	bareprof_interrupts = bareprof_context_named("interrupts");
}

/* Another interrupt may nest at any point here. It restores the current context and the depth, but may leave the
 * context of interrupts in bareprof_preempted. So enter writes bareprof_preempted after the depth is 1, and exit reads
 * it before the depth is 0. */
BAREPROF_CODE(sys_trace_isr_enter_user) void sys_trace_isr_enter_user(void)
{
	const uint32_t before = bareprof_context_switch(bareprof_interrupts);

	if (bareprof_depth++ == 0)
		bareprof_preempted = before;
}

BAREPROF_CODE(sys_trace_isr_exit_user) void sys_trace_isr_exit_user(void)
{
	const uint32_t before = bareprof_preempted;

	if (--bareprof_depth == 0)
		bareprof_context_restore(before);
}
