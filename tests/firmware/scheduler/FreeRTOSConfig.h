/* SPDX-License-Identifier: MIT */
/* As in a firmware with FreeRTOS, for <bareprof/freertos.h>: included in C and, as some of its ports do, in assembly.
 */
#ifndef FIRMWARE_SCHEDULER_FREERTOS_CONFIG_H
#define FIRMWARE_SCHEDULER_FREERTOS_CONFIG_H

#define configMAX_TASK_NAME_LEN         16
#define configUSE_TRACE_FACILITY        1
#define configRECORD_STACK_HIGH_ADDRESS 1

#include <bareprof/freertos.h>

#endif
