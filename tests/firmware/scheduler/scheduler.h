/* SPDX-License-Identifier: MIT */
/* A small scheduler: tasks take turns, and sleep. They are numbered from 1 on as they were added. */
#ifndef FIRMWARE_SCHEDULER_SCHEDULER_H
#define FIRMWARE_SCHEDULER_SCHEDULER_H

#include <stdint.h>

/* Switching is not instrumented. */
#define UNINSTRUMENTED __attribute__((no_instrument_function))

#define SCHEDULER_TASKS 3u /* the last one is IDLE, which runs where all others sleep */

void scheduler_add(const char *name, void (*function)(void));
_Noreturn void scheduler_start(void);

/* Suspends the running task for this many ticks, or until its next turn. */
void scheduler_sleep(uint32_t ticks);
void scheduler_yield(void);

/* Called from the tick interrupt. */
void scheduler_tick(void);

/* The firmware's: called when the turn of a task begins and that of another one ends. */
void scheduler_switched(uint32_t task);

#endif
