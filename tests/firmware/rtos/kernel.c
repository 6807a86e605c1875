/* SPDX-License-Identifier: MIT */
/* See rtos.h: tasks and time. The names that trace macros use are those of FreeRTOS. Like FreeRTOS it creates tasks in
 * memory that was used before. */
#include "kernel.h"
#include "port.h"

#include <stddef.h>

#define STACK_ALIGNMENT_WORDS 4u

enum state { UNUSED, READY, WAITING, DELETED };

struct rtos_task {
	uintptr_t *stack_pointer;
	enum state state;
	uint32_t priority;
	const void *object; /* that it waits for; NULL: for nothing but its time */
	bool has_time;
	uint32_t wake_tick;
	uintptr_t *pxStack;
	char pcTaskName[configMAX_TASK_NAME_LEN];
	uintptr_t *pxEndOfStack;

	unsigned long uxTaskNumber;
};

__attribute__((aligned(16))) uintptr_t rtos_stacks[RTOS_TASKS + 1][RTOS_STACK_WORDS];
static struct rtos_task tasks[RTOS_TASKS + 1]; /* 0: the code before the first task */
static struct rtos_task *volatile pxCurrentTCB = tasks;
static volatile uint32_t now;

struct rtos_task *kernel_running(void)
{
	return pxCurrentTCB;
}

uint32_t kernel_now(void)
{
	return now;
}

uint32_t kernel_priority(const struct rtos_task *task)
{
	return task->priority;
}

void kernel_set_priority(struct rtos_task *task, uint32_t priority)
{
	task->priority = priority;
}

/* --- The choice of a task, in interrupts. */

UNINSTRUMENTED static bool is_ready(const struct rtos_task *task)
{
	return task->state == READY;
}

/* The next task after the running one that is ready and has the highest priority. IDLE is always ready. */
UNINSTRUMENTED static struct rtos_task *choose(void)
{
	const size_t running = (size_t)(pxCurrentTCB - tasks);
	struct rtos_task *best = NULL;

	for (size_t i = 0; i < RTOS_TASKS; i++) {
		struct rtos_task *task = &tasks[(running + i) % RTOS_TASKS + 1];

		if (is_ready(task) && (best == NULL || task->priority > best->priority))
			best = task;
	}
	return best;
}

UNINSTRUMENTED uintptr_t *scheduler_switch(uintptr_t *stack_pointer)
{
	const uint32_t state = kernel_lock();
	struct rtos_task *const before = pxCurrentTCB;

	before->stack_pointer = stack_pointer;
	pxCurrentTCB = choose();
	if (pxCurrentTCB != before)
		rtos_switched(pxCurrentTCB->pcTaskName);
	traceTASK_SWITCHED_IN();
	kernel_unlock(state);
	return pxCurrentTCB->stack_pointer;
}

UNINSTRUMENTED static bool is_due(const struct rtos_task *task)
{
	return task->state == WAITING && task->has_time && (int32_t)(now - task->wake_tick) >= 0;
}

UNINSTRUMENTED void rtos_tick_from_interrupt(void)
{
	const uint32_t state = kernel_lock();

	now++;
	for (size_t i = 1; i <= RTOS_TASKS; i++)
		if (is_due(&tasks[i]))
			tasks[i].state = READY;
	kernel_unlock(state);
	port_switch_from_interrupt();
}

/* --- Waiting. */

void kernel_yield(uint32_t state)
{
	kernel_unlock(state);
	if (pxCurrentTCB != tasks)
		port_switch_from_task();
}

bool kernel_wait(const void *object, uint32_t ticks, uint32_t state)
{
	struct rtos_task *task = pxCurrentTCB;

	if (ticks == 0) {
		kernel_unlock(state);
		return false;
	}
	task->object = object;
	task->has_time = ticks != RTOS_FOREVER;
	task->wake_tick = now + ticks;
	task->state = WAITING;
	kernel_yield(state);
	/* kernel_wake() has removed the object. */
	return task->object == NULL;
}

UNINSTRUMENTED struct rtos_task *kernel_wake(const void *object)
{
	struct rtos_task *best = NULL;

	for (size_t i = 1; i <= RTOS_TASKS; i++) {
		struct rtos_task *task = &tasks[i];

		if (task->state == WAITING && task->object == object &&
		    (best == NULL || task->priority > best->priority))
			best = task;
	}
	if (best != NULL) {
		best->object = NULL;
		best->state = READY;
	}
	return best;
}

void rtos_delay(uint32_t ticks)
{
	/* No one wakes it by its own address. */
	kernel_wait(pxCurrentTCB, ticks, kernel_lock());
}

/* --- The life of a task. */

static struct rtos_task *find_unused(void)
{
	for (size_t i = 1; i <= RTOS_TASKS; i++)
		if (tasks[i].state == UNUSED)
			return &tasks[i];
	return NULL;
}

static void describe(struct rtos_task *task, const char *name, uint32_t priority, void (*function)(void))
{
	size_t length = 0;

	for (; length < configMAX_TASK_NAME_LEN - 1 && name[length] != '\0'; length++)
		task->pcTaskName[length] = name[length];
	task->pcTaskName[length] = '\0';
	task->priority = priority;
	task->uxTaskNumber = 0xA5A5A5A5u;
	task->pxStack = rtos_stacks[task - tasks];
	task->pxEndOfStack = task->pxStack + (RTOS_STACK_WORDS - 1) / STACK_ALIGNMENT_WORDS * STACK_ALIGNMENT_WORDS;
	task->stack_pointer = port_first_frame(task->pxEndOfStack, function);
}

struct rtos_task *rtos_task_create(const char *name, uint32_t priority, void (*function)(void))
{
	const uint32_t state = kernel_lock();
	struct rtos_task *task = find_unused();

	if (task != NULL) {
		describe(task, name, priority, function);
		traceTASK_CREATE(task);
		task->state = READY;
	}
	kernel_yield(state);
	return task;
}

void rtos_task_delete(struct rtos_task *task)
{
	const uint32_t state = kernel_lock();

	task->state = DELETED;
	kernel_yield(state);
}

_Noreturn void rtos_task_exit(void)
{
	rtos_task_delete(pxCurrentTCB);
	for (;;)
		;
}

static void (*idle_function)(void);

static void release_deleted(void)
{
	for (size_t i = 1; i <= RTOS_TASKS; i++)
		if (tasks[i].state == DELETED)
			tasks[i].state = UNUSED;
}

static void run_idle(void)
{
	for (;;) {
		release_deleted();
		idle_function();
	}
}

_Noreturn void rtos_start(void (*idle)(void))
{
	idle_function = idle;
	rtos_task_create("IDLE", RTOS_IDLE, run_idle);
	rtos_task_create("timers", 5, timers_run);
	port_prepare();
	port_start(rtos_stacks[0] + RTOS_STACK_WORDS);
}
