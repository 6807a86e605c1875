/* SPDX-License-Identifier: MIT */
/* Switches tasks as FreeRTOS does and asks target/rtos/freertos.c for the ends of stacks. Prints the first wrong one.
 */
#include "tasks.c"

#include <stdio.h>

#define WORDS 16u

static unsigned long stacks[2][WORDS];
/* The highest word that a task may use is aligned, so it need not be the last one of its stack. */
static struct tskTaskControlBlock tasks[] = {
        {.pxStack = stacks[0], .pxEndOfStack = &stacks[0][WORDS - 2]},
        {.pxStack = stacks[1], .pxEndOfStack = &stacks[1][WORDS - 1]},
};

uint32_t bareprof_context_enter(uint32_t context, const char *name)
{
	(void)name;
	return context;
}

static bool is_end(const char *what, uintptr_t sp, uintptr_t end)
{
	const bool is_right = bareprof_task_stack_end(sp) == end;

	if (!is_right)
		puts(what);
	return is_right;
}

static bool has_ends(struct tskTaskControlBlock *task, const struct tskTaskControlBlock *other)
{
	const uintptr_t start = (uintptr_t)task->pxStack;
	const uintptr_t end = (uintptr_t)(task->pxEndOfStack + 1);

	pxCurrentTCB = task;
	vTaskSwitchContext();
	return is_end("lowest word", start, end) && is_end("empty stack", end, end) && is_end("below", start - 1, 0) &&
	       is_end("above", end + 1, 0) && is_end("another stack", (uintptr_t)(other->pxStack + 1), 0);
}

int main(void)
{
	return !(is_end("before the first switch", (uintptr_t)stacks[0], 0) && has_ends(&tasks[0], &tasks[1]) &&
	         has_ends(&tasks[1], &tasks[0]));
}
