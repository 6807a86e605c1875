/* SPDX-License-Identifier: MIT */
/* Hooks of Zephyr's CONFIG_TRACING_USER that target/rtos/zephyr.c defines, for a test without Zephyr. */
#ifndef PORTING_ZEPHYR_TRACING_H
#define PORTING_ZEPHYR_TRACING_H

void sys_trace_thread_switched_in_user(void);
void sys_trace_isr_enter_user(void);
void sys_trace_isr_exit_user(void);

#endif
