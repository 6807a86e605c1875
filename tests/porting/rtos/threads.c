/* SPDX-License-Identifier: MIT */
/* Calls the hooks of target/rtos/zephyr.c as Zephyr does, with a nested interrupt in each place in turn.
 * Prints the first thing that is wrong. */
#include <bareprof/zephyr.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <zephyr/kernel.h>
#include <zephyr/tracing/tracing.h>

#define INTERRUPTS 1u

static struct k_thread worker = {.name = "worker"}, nameless = {.name = NULL};
static struct k_thread *running = &worker;
static uint32_t current;
static unsigned switches; /* to threads */
static unsigned point, interrupted_point;
static const char *wrong;

k_tid_t k_sched_current_thread_query(void)
{
	return running;
}

const char *k_thread_name_get(k_tid_t thread)
{
	return thread->name;
}

static void expect(uint32_t context, const char *when)
{
	if (current != context && wrong == NULL)
		wrong = when;
}

static void pass_point(void)
{
	if (++point != interrupted_point)
		return;
	sys_trace_isr_enter_user();
	expect(INTERRUPTS, "in a nested interrupt");
	sys_trace_isr_exit_user();
}

uint32_t bareprof_context_restore(uint32_t context)
{
	uint32_t before;

	pass_point();
	before = current;
	current = context;
	pass_point();
	return before;
}

uint32_t bareprof_context_switch(uint32_t context)
{
	switches += context != INTERRUPTS;
	return bareprof_context_restore(context);
}

uint32_t bareprof_context_named(const char *name)
{
	if (*name == '\0')
		return 0;

	return strcmp(name, "interrupts") == 0 ? INTERRUPTS : 2u;
}

uint32_t bareprof_context_enter(uint32_t context, const char *name)
{
	context = context != 0 ? context : bareprof_context_named(name);
	bareprof_context_switch(context);
	return context;
}

static void interrupt_each(struct k_thread *thread, uint32_t context)
{
	running = thread;
	sys_trace_thread_switched_in_user();
	expect(context, "after a switch");
	for (unsigned turn = 0; turn < 2; turn++) {
		sys_trace_isr_enter_user();
		pass_point();
		expect(INTERRUPTS, "in an interrupt");
		sys_trace_isr_exit_user();
		expect(context, "after an interrupt");
	}
	if (switches != 1 && wrong == NULL)
		wrong = "the end of an interrupt counts as a switch";
	switches = 0;
}

#if BAREPROF_STACKS != 0
static void check_stack_end(void)
{
	worker.stack_info = (struct _thread_stack_info){.start = 0x1000, .size = 0x100, .delta = 0x20};
	running = &worker;
	if (bareprof_zephyr_stack_end(0x1000) != 0x10E0 || bareprof_zephyr_stack_end(0x10E0) != 0x10E0)
		wrong = "the end of a thread's stack";
	if (bareprof_zephyr_stack_end(0xFFF) != 0 || bareprof_zephyr_stack_end(0x10E1) != 0)
		wrong = "the end of another stack";
	running = &nameless;
	if (bareprof_zephyr_stack_end(0x1000) != 0)
		wrong = "the end of a stack that no longer runs";
}
#endif

int main(void)
{
#if BAREPROF_STACKS != 0
	check_stack_end();
#endif
	bareprof_zephyr_start();
	for (interrupted_point = 0; interrupted_point < 32 && wrong == NULL; interrupted_point++) {
		point = 0;
		interrupt_each(&worker, 2);
		interrupt_each(&nameless, 0);
	}
	if (wrong == NULL && point != 24)
		wrong = "the number of places";
	if (wrong != NULL)
		printf("point %u: %s\n", interrupted_point, wrong);
	return wrong != NULL;
}
