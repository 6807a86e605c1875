/* SPDX-License-Identifier: MIT */
/* Two tasks that take turns, each on a stack of its own. One file per ISA. */
#ifndef FIRMWARE_TASKS_SWITCH_H
#define FIRMWARE_TASKS_SWITCH_H

#include <stdint.h>

/* The switching is not instrumented. */
#define UNINSTRUMENTED __attribute__((no_instrument_function))

/* Runs first on its stack; second begins at the first switch. Stacks grow down from their ends, aligned to 16. */
_Noreturn void switch_start(void (*first)(void), uintptr_t *first_end, void (*second)(void), uintptr_t *second_end);

/* The other task's turn: asked for by an interrupt, where tasks are preempted, or by a task, where they yield. The
 * other one does nothing. */
void switch_from_interrupt(void);
void switch_from_task(void);

/* The firmware's: called at each switch with the stack pointer of the task that ends its turn; returns the other's. At
 * the start it is called for the second task's. */
uintptr_t *tasks_take_turns(uintptr_t *stack_pointer);
void tasks_prepare_second(uintptr_t *stack_pointer);

#endif
