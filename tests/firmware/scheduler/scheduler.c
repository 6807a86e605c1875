/* SPDX-License-Identifier: MIT */
/* See scheduler.h. Round robin among the tasks that do not sleep. Like FreeRTOS it has the names that trace macros see,
 * expands the macros in the same places, and creates tasks in used memory. */
#include "scheduler.h"
#include "FreeRTOSConfig.h"
#include "port.h"

#include <stdbool.h>

#define STACK_ALIGNMENT_WORDS 4u

#define MAIN 0u /* not a task: the code that runs before the first one */

struct task {
	uintptr_t *stack_pointer;
	bool is_asleep;
	uint32_t wake_tick;
	uintptr_t *pxStack;
	char pcTaskName[configMAX_TASK_NAME_LEN];
	uintptr_t *pxEndOfStack;

	unsigned long uxTaskNumber;
};

__attribute__((aligned(16))) uintptr_t scheduler_stacks[SCHEDULER_TASKS + 1][SCHEDULER_STACK_WORDS];
static struct task tasks[SCHEDULER_TASKS + 1];
static struct task *volatile pxCurrentTCB = tasks;
static volatile uint32_t running = MAIN;
static uint32_t added;
static volatile uint32_t now;

void scheduler_add(const char *name, void (*function)(void))
{
	struct task *task = &tasks[++added];

	task->uxTaskNumber = 0xA5A5A5A5u;
	for (uint32_t i = 0; i < configMAX_TASK_NAME_LEN - 1 && name[i] != '\0'; i++)
		task->pcTaskName[i] = name[i];
	task->pxStack = scheduler_stacks[added];
	task->pxEndOfStack =
	        task->pxStack + (SCHEDULER_STACK_WORDS - 1) / STACK_ALIGNMENT_WORDS * STACK_ALIGNMENT_WORDS;
	task->stack_pointer = port_first_frame(task->pxEndOfStack, function);
	traceTASK_CREATE(task);
}

_Noreturn void scheduler_start(void)
{
	port_prepare();
	port_start(scheduler_stacks[MAIN] + SCHEDULER_STACK_WORDS);
}

UNINSTRUMENTED static bool is_ready(struct task *task)
{
	if (task->is_asleep && (int32_t)(now - task->wake_tick) >= 0)
		task->is_asleep = false;
	return !task->is_asleep;
}

/* The next task that is ready, the running one last; IDLE if none is. */
UNINSTRUMENTED static uint32_t choose(void)
{
	uint32_t next = running;

	for (uint32_t i = 0; i < SCHEDULER_TASKS; i++) {
		next = next + 1 < SCHEDULER_TASKS ? next + 1 : MAIN + 1;
		if (is_ready(&tasks[next]))
			return next;
	}
	return SCHEDULER_TASKS;
}

UNINSTRUMENTED uintptr_t *scheduler_switch(uintptr_t *stack_pointer)
{
	const uint32_t before = running;

	tasks[before].stack_pointer = stack_pointer;
	running = choose();
	if (running != before)
		scheduler_switched(running);
	pxCurrentTCB = &tasks[running];
	traceTASK_SWITCHED_IN();
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
