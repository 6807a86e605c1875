/* SPDX-License-Identifier: MIT */
/*
 * How tasks begin, are preempted and are switched, one file per ISA. port_task_exit() directly follows port_prepare(),
 * which no task calls.
 */
#ifndef FIRMWARE_SCHEDULER_PORT_H
#define FIRMWARE_SCHEDULER_PORT_H

#include <stdint.h>

/* Call it once, before tasks are switched. */
void port_prepare(void);

/* The return address of a task's function. Never returns. */
_Noreturn void port_task_exit(void);

/* Puts the first frame of a task, which enters function, on its stack; returns the stack pointer. */
uintptr_t *port_first_frame(uintptr_t *stack_end, void (*function)(void));

/* Leaves main for the first task. */
_Noreturn void port_start(uintptr_t *stack_end);

/* Requests a switch to the next task: from a task, and from an interrupt. */
void port_switch_from_task(void);
void port_switch_from_interrupt(void);

/* Defined by the scheduler: called at each switch with the stack pointer of the running task; returns that of the next
 * one. */
uintptr_t *scheduler_switch(uintptr_t *stack_pointer);

#endif
