/* SPDX-License-Identifier: MIT */
/*
 * Tasks of FreeRTOS as contexts, named like the tasks, IDLE and the timer task (Tmr Svc) among them. Include it at the
 * end of FreeRTOSConfig.h; the library is one WITH=contexts, configUSE_TRACE_FACILITY is 1. docs/RTOS-BUILDS.md has the
 * steps.
 *
 * The number of a task's context is kept in uxTaskNumber of its TCB, which the kernel has for trace code and does not
 * use itself: do not call vTaskSetTaskNumber(). A task gets its number when it is first switched to after
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

/* For the trace macros of other tools, where both are wanted. They expand in tasks.c alone, in critical sections. Heaps
 * hand out memory that was used, and older kernels do not clear it. */
#define BAREPROF_TASK_CREATE(pxNewTCB) ((void)((pxNewTCB)->uxTaskNumber = 0))
#define BAREPROF_TASK_SWITCHED_IN()          \
	((void)(pxCurrentTCB->uxTaskNumber = \
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
