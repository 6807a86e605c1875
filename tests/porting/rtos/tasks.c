/* SPDX-License-Identifier: MIT */
/* The names that FreeRTOS's tasks.c has where it expands trace macros, for a test without FreeRTOS. */
#include "FreeRTOSConfig.h"

typedef unsigned long UBaseType_t;

struct tskTaskControlBlock {
	unsigned long *pxStack;
	char pcTaskName[configMAX_TASK_NAME_LEN];
#if defined(configRECORD_STACK_HIGH_ADDRESS) && configRECORD_STACK_HIGH_ADDRESS == 1
	unsigned long *pxEndOfStack;
#endif
	UBaseType_t uxTCBNumber;
	UBaseType_t uxTaskNumber;
};

#if BAREPROF_CORES > 1
struct tskTaskControlBlock *xTaskGetCurrentTaskHandle(void);
#define pxCurrentTCB xTaskGetCurrentTaskHandle()
#else
struct tskTaskControlBlock *volatile pxCurrentTCB;
#endif

void prvAddNewTaskToReadyList(struct tskTaskControlBlock *pxNewTCB);
void vTaskSwitchContext(void);

void prvAddNewTaskToReadyList(struct tskTaskControlBlock *pxNewTCB)
{
	traceTASK_CREATE(pxNewTCB);
}

void vTaskSwitchContext(void)
{
	traceTASK_SWITCHED_IN();
}
