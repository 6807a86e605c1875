/* SPDX-License-Identifier: MIT */
/*
 * FreeRTOS tasks as contexts with the names of the tasks, including IDLE and the timer task (Tmr Svc). Include this at
 * the end of FreeRTOSConfig.h, set configUSE_TRACE_FACILITY to 1, define BAREPROF_CONTEXTS and, if you use the library,
 * link the one built WITH=contexts. With slices or a path tree, compile target/rtos/freertos.c (bareprof_freertos.c) as
 * well: it finds the ends of the tasks' stacks. docs/RTOS-BUILDS.md has the steps.
 *
 * The number of a task's context is kept in uxTaskNumber of its TCB, which the kernel provides for trace code and does
 * not use itself. So do not call vTaskSetTaskNumber(). A task gets its number at the first switch to it after
 * bareprof_init().
 */
#ifndef BAREPROF_FREERTOS_H
#define BAREPROF_FREERTOS_H

/* Some ports include FreeRTOSConfig.h in assembly. */
#ifndef __ASSEMBLER__

#include <bareprof/bareprof.h>

#if BAREPROF_CONTEXTS == 0
#error "bareprof: compile all files with -DBAREPROF_CONTEXTS=N, one for each task and one more, or leave out freertos.h"
#endif
#if !defined(configUSE_TRACE_FACILITY) || configUSE_TRACE_FACILITY != 1
#error "bareprof: set configUSE_TRACE_FACILITY to 1, and include bareprof/freertos.h at the end of FreeRTOSConfig.h"
#endif
#if defined(configNUMBER_OF_CORES) && configNUMBER_OF_CORES != BAREPROF_CORES
#error "bareprof: configNUMBER_OF_CORES and BAREPROF_CORES differ"
#endif

#if BAREPROF_STACKS != 0
#if !defined(configRECORD_STACK_HIGH_ADDRESS) || configRECORD_STACK_HIGH_ADDRESS != 1
#error "bareprof: set configRECORD_STACK_HIGH_ADDRESS to 1, so that the ends of stacks are known"
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* The stack of the task that runs on each core. Only tasks.c can read it from the TCB, so the hook copies it. */
struct bareprof_task_stack {
	uintptr_t start;
	uintptr_t end;
};
extern volatile struct bareprof_task_stack bareprof_task_stacks[BAREPROF_CORES];

#if BAREPROF_CORES > 1
#define BAREPROF_TASK_STACK bareprof_task_stacks[bareprof_core_number()]
#else
#define BAREPROF_TASK_STACK bareprof_task_stacks[0]
#endif

/* For .stack_end of BAREPROF_DEFINE. Returns 0 if the stack pointer is not in the stack of the running task, as in
 * interrupt handlers. */
uintptr_t bareprof_task_stack_end(uintptr_t sp);

#ifdef __cplusplus
}
#endif

/* FreeRTOS's tasks.c: pxStack is the lowest word, pxEndOfStack the highest one that the task may use. */
#define BAREPROF_TASK_STACK_SWITCHED_IN()                              \
	(BAREPROF_TASK_STACK.start = (uintptr_t)pxCurrentTCB->pxStack, \
	 BAREPROF_TASK_STACK.end = (uintptr_t)(pxCurrentTCB->pxEndOfStack + 1))
#else
#define BAREPROF_TASK_STACK_SWITCHED_IN() ((void)0)
#endif

/*
 * Hooks that other trace tools' macros may call as well. They expand only in tasks.c, in critical sections. The number
 * is cleared here because a heap may return used memory, and older kernels do not clear it.
 */
#define BAREPROF_TASK_CREATE(pxNewTCB) ((void)((pxNewTCB)->uxTaskNumber = 0))
#define BAREPROF_TASK_SWITCHED_IN()          \
	(BAREPROF_TASK_STACK_SWITCHED_IN(),  \
	 (void)(pxCurrentTCB->uxTaskNumber = \
	                bareprof_context_enter((uint32_t)pxCurrentTCB->uxTaskNumber, pxCurrentTCB->pcTaskName)))

#ifndef BAREPROF_FREERTOS_COMBINED
#if defined(traceTASK_CREATE) || defined(traceTASK_SWITCHED_IN)
#error "bareprof: trace macros are defined already: add BAREPROF_TASK_CREATE(pxNewTCB) to traceTASK_CREATE and \
BAREPROF_TASK_SWITCHED_IN() to traceTASK_SWITCHED_IN, and define BAREPROF_FREERTOS_COMBINED"
#endif
#define traceTASK_CREATE(pxNewTCB) BAREPROF_TASK_CREATE(pxNewTCB)
#define traceTASK_SWITCHED_IN()    BAREPROF_TASK_SWITCHED_IN()
#endif

#endif
#endif
