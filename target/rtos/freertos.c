/* SPDX-License-Identifier: MIT */
/* The ends of FreeRTOS's stacks, for slices and path trees. The firmware compiles it, with its FreeRTOSConfig.h, which
 * includes <bareprof/freertos.h>. */
#include <FreeRTOSConfig.h>
#include <bareprof/freertos.h>

#if BAREPROF_STACKS != 0
volatile struct bareprof_task_stack bareprof_task_stacks[BAREPROF_CORES];

/* Between the two stores of the hook, the kernel runs on a stack of its own. */
BAREPROF_CODE(bareprof_task_stack_end) uintptr_t bareprof_task_stack_end(uintptr_t sp)
{
	const uintptr_t start = BAREPROF_TASK_STACK.start;
	const uintptr_t end = BAREPROF_TASK_STACK.end;

	return sp - start <= end - start ? end : 0;
}
#endif
