/* SPDX-License-Identifier: MIT */
/* Declarations of Zephyr that target/rtos/zephyr.c uses, for a test without Zephyr. */
#ifndef PORTING_ZEPHYR_KERNEL_H
#define PORTING_ZEPHYR_KERNEL_H

#include <stddef.h>
#include <stdint.h>

/* The declarations of include/zephyr/kernel/thread.h: a thread's stack pointer begins at start + size - delta. */
struct _thread_stack_info {
	uintptr_t start;
	size_t size;
	size_t delta;
};

struct k_thread {
	const char *name;
#ifdef CONFIG_THREAD_STACK_INFO
	struct _thread_stack_info stack_info;
#endif
};

typedef struct k_thread *k_tid_t;

k_tid_t k_sched_current_thread_query(void);
const char *k_thread_name_get(k_tid_t thread);

#endif
