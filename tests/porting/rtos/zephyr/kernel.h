/* SPDX-License-Identifier: MIT */
/* Declarations of Zephyr that <bareprof/zephyr.h> uses, for a test without Zephyr. */
#ifndef PORTING_ZEPHYR_KERNEL_H
#define PORTING_ZEPHYR_KERNEL_H

typedef struct k_thread *k_tid_t;

k_tid_t k_sched_current_thread_query(void);
const char *k_thread_name_get(k_tid_t thread);

#endif
