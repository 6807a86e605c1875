/* SPDX-License-Identifier: MIT */
/* A small scheduler: tasks take turns, and sleep. They are numbered from 1 in the order in which they are added. */
#ifndef FIRMWARE_SCHEDULER_SCHEDULER_H
#define FIRMWARE_SCHEDULER_SCHEDULER_H

#include "board.h"

#define SCHEDULER_TASKS       3u /* the last one is IDLE, which runs while all others sleep */
#define SCHEDULER_STACK_WORDS 256u

/* The stack of the code that starts the scheduler, which is no longer needed then, and those of the tasks. */
extern uintptr_t scheduler_stacks[SCHEDULER_TASKS + 1][SCHEDULER_STACK_WORDS];

void scheduler_add(const char *name, void (*function)(void));
_Noreturn void scheduler_start(void);

/* Suspends the running task for this many ticks, or until its next turn. */
void scheduler_sleep(uint32_t ticks);
void scheduler_yield(void);

/* Called from the tick interrupt. */
void scheduler_tick(void);

/* Defined by the firmware: called when another task begins to run. */
void scheduler_switched(uint32_t task);

#endif
