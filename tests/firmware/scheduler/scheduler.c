/* SPDX-License-Identifier: MIT */
/* See scheduler.h. Round robin among those that do not sleep. */
#include "scheduler.h"
#include "port.h"

#include <bareprof/bareprof.h>
#include <stdbool.h>

#define STACK_WORDS 256u

struct task {
	uintptr_t *stack_pointer;
	bool is_asleep;
	uint32_t wake_tick;
};

static __attribute__((aligned(16))) uintptr_t stacks[SCHEDULER_TASKS][STACK_WORDS];
static struct task tasks[SCHEDULER_TASKS];
static volatile uint32_t running = SCHEDULER_MAIN;
static volatile uint32_t now;

void scheduler_add(uint32_t number, void (*function)(void))
{
	tasks[number].stack_pointer = port_first_frame(stacks[number] + STACK_WORDS, function);
}

_Noreturn void scheduler_start(void)
{
	port_prepare();
	port_start(stacks[SCHEDULER_MAIN] + STACK_WORDS);
}

UNINSTRUMENTED static bool is_ready(struct task *task)
{
	if (task->is_asleep && (int32_t)(now - task->wake_tick) >= 0)
		task->is_asleep = false;
	return !task->is_asleep;
}

/* The next one that is ready, the running one last; IDLE if none is. */
UNINSTRUMENTED static uint32_t choose(void)
{
	uint32_t next = running;

	for (uint32_t i = 0; i < SCHEDULER_TASKS; i++) {
		next = next + 1 < SCHEDULER_IDLE ? next + 1 : SCHEDULER_MAIN + 1;
		if (is_ready(&tasks[next]))
			return next;
	}
	return SCHEDULER_IDLE;
}

UNINSTRUMENTED uintptr_t *scheduler_switch(uintptr_t *stack_pointer)
{
	tasks[running].stack_pointer = stack_pointer;
	running = choose();
	bareprof_context_switch(running);
	return tasks[running].stack_pointer;
}

void scheduler_sleep(uint32_t ticks)
{
	struct task *task = &tasks[running];

	task->wake_tick = now + ticks;
	task->is_asleep = true;
	port_switch_from_task();
}

UNINSTRUMENTED void scheduler_yield(void)
{
#ifndef __arm__
	port_switch_from_task();
#endif
}

UNINSTRUMENTED void scheduler_tick(void)
{
	now++;
	port_switch_from_interrupt();
}
