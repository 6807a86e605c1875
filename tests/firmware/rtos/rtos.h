/* SPDX-License-Identifier: MIT */
/*
 * A small preemptive RTOS: of the tasks that are ready, one of the highest priority runs; those of the same priority
 * take turns at each tick. Only functions whose names end in from_interrupt may be called from interrupts.
 */
#ifndef FIRMWARE_RTOS_RTOS_H
#define FIRMWARE_RTOS_RTOS_H

#include "board.h"

#include <stdbool.h>

#define RTOS_TASKS       7u /* at the same time, IDLE and the timer task among them */
#define RTOS_STACK_WORDS 384u
#define RTOS_FOREVER     UINT32_MAX
#define RTOS_IDLE        0u /* the priority of IDLE, the lowest one */

/* The stack of the code that starts the first task, which is no longer needed then, and those of the tasks. */
extern uintptr_t rtos_stacks[RTOS_TASKS + 1][RTOS_STACK_WORDS];

struct rtos_task;

/* Creates a task that runs function(), which must not return. NULL: there are too many tasks. */
struct rtos_task *rtos_task_create(const char *name, uint32_t priority, void (*function)(void));
/* IDLE releases the stack, so that it may be used again. */
void rtos_task_delete(struct rtos_task *task);
/* Deletes the running task. */
_Noreturn void rtos_task_exit(void);
/* Creates IDLE and the timer task, and never returns. */
_Noreturn void rtos_start(void (*idle)(void));

void rtos_delay(uint32_t ticks);
void rtos_tick_from_interrupt(void);

#define RTOS_QUEUE_ITEMS 4u
struct rtos_queue {
	uint32_t items[RTOS_QUEUE_ITEMS];
	uint32_t first, count;
};

/* Wait for room or for an item for at most this many ticks. */
bool rtos_queue_send(struct rtos_queue *queue, uint32_t item, uint32_t ticks);
bool rtos_queue_receive(struct rtos_queue *queue, uint32_t *item, uint32_t ticks);
bool rtos_queue_send_from_interrupt(struct rtos_queue *queue, uint32_t item);

/* While a task of higher priority waits for the mutex, its owner has that priority, too. */
struct rtos_mutex {
	struct rtos_task *owner;
	uint32_t own_priority; /* of the owner, without what it inherits */
};

void rtos_mutex_lock(struct rtos_mutex *mutex);
void rtos_mutex_unlock(struct rtos_mutex *mutex);

/* Calls function() in the timer task, each period. */
struct rtos_timer {
	void (*function)(void);
	uint32_t period;
	uint32_t due;
	struct rtos_timer *next;
};

/* A period of 0 stops the timer. */
void rtos_timer_start(struct rtos_timer *timer, uint32_t period);

/* Defined by the firmware: called when another task begins to run. */
void rtos_switched(const char *name);

#endif
