/* SPDX-License-Identifier: MIT */
/*
 * Zephyr's threads as contexts with the threads' names, including idle and workqueues, and all interrupts as one
 * context, for one core. The application compiles target/rtos/zephyr.c (bareprof_zephyr.c), which defines the functions
 * below. docs/RTOS-BUILDS.md has the steps.
 */
#ifndef BAREPROF_ZEPHYR_H
#define BAREPROF_ZEPHYR_H

#include <bareprof/bareprof.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Call it in main(), after bareprof_init(). */
void bareprof_zephyr_start(void);

#if BAREPROF_STACKS != 0
/* For .stack_end of BAREPROF_DEFINE. Returns 0 if the stack pointer is not in the stack of the running thread, as in
 * interrupt handlers. */
uintptr_t bareprof_zephyr_stack_end(uintptr_t sp);
#endif

#ifdef __cplusplus
}
#endif

#endif
