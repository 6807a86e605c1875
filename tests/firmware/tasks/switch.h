/* SPDX-License-Identifier: MIT */
/* Two tasks that take turns, each on a stack of its own. One file per ISA. */
#ifndef FIRMWARE_TASKS_SWITCH_H
#define FIRMWARE_TASKS_SWITCH_H

#include "board.h"

/* Runs first on its stack; second begins at the first switch. Stacks grow down from their ends, aligned to 16. */
_Noreturn void switch_start(void (*first)(void), uintptr_t *first_end, void (*second)(void), uintptr_t *second_end);

/* Switches to the other task: from an interrupt on ports with preemption, from a task on ports where tasks yield. The
 * other function does nothing. */
void switch_from_interrupt(void);
void switch_from_task(void);

/* Defined by the firmware: called at each switch with the stack pointer of the running task; returns that of the other
 * one. At the start, tasks_prepare_second() gets the stack pointer of the second task. */
uintptr_t *tasks_take_turns(uintptr_t *stack_pointer);
void tasks_prepare_second(uintptr_t *stack_pointer);

#endif
