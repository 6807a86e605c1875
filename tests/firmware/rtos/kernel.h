/* SPDX-License-Identifier: MIT */
/* Functions that the files of the RTOS share. */
#ifndef FIRMWARE_RTOS_KERNEL_H
#define FIRMWARE_RTOS_KERNEL_H

#include "rtos.h"

#include "FreeRTOSConfig.h"

#define INLINE static inline __attribute__((always_inline, no_instrument_function))

/* Masks the interrupts that use the kernel, but not the one that samples. Returns the state before. */
INLINE uint32_t kernel_lock(void)
{
	uint32_t state;

#ifdef __arm__
	/* Armv7-M ARM B1.4.3: priorities of 0x40 and numerically above. */
	__asm volatile("mrs %0, basepri\n\tmsr basepri, %1\n\tisb" : "=&r"(state) : "r"(0x40) : "memory");
#else
	/* MEIE and MSIE (privileged architecture 3.1.9). */
	__asm volatile("csrrc %0, mie, %1" : "=r"(state) : "r"(0x808) : "memory");
#endif
	return state;
}

INLINE void kernel_unlock(uint32_t state)
{
#ifdef __arm__
	__asm volatile("msr basepri, %0\n\tisb" : : "r"(state) : "memory");
#else
	__asm volatile("csrs mie, %0" : : "r"(state & 0x808) : "memory");
#endif
}

struct rtos_task *kernel_running(void);
uint32_t kernel_now(void);
void kernel_set_priority(struct rtos_task *task, uint32_t priority);
uint32_t kernel_priority(const struct rtos_task *task);

/* Call it with the kernel locked; state is what kernel_lock() returned. Unlocks the kernel, and waits until
 * kernel_wake(object), for at most this many ticks. False: the time has passed. */
bool kernel_wait(const void *object, uint32_t ticks, uint32_t state);
/* Call it with the kernel locked. Of the tasks that wait for the object, wakes the one of the highest priority and
 * returns it; NULL: none waits. Call kernel_yield() afterwards or, in an interrupt, port_switch_from_interrupt(). */
struct rtos_task *kernel_wake(const void *object);
/* Unlocks the kernel, and lets a task of higher priority run, or one of the same. */
void kernel_yield(uint32_t state);

/* The timer task. */
void timers_run(void);

#endif
