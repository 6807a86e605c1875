/* SPDX-License-Identifier: MIT */
/* See rtos.h: mutexes. A mutex passes directly to the waiting task of the highest priority. */
#include "kernel.h"

#include <stddef.h>

void rtos_mutex_lock(struct rtos_mutex *mutex)
{
	const uint32_t state = kernel_lock();
	struct rtos_task *running = kernel_running();

	if (mutex->owner == NULL) {
		mutex->owner = running;
		mutex->own_priority = kernel_priority(running);
		kernel_unlock(state);
		return;
	}
	if (kernel_priority(mutex->owner) < kernel_priority(running))
		kernel_set_priority(mutex->owner, kernel_priority(running));
	kernel_wait(mutex, RTOS_FOREVER, state);
}

void rtos_mutex_unlock(struct rtos_mutex *mutex)
{
	const uint32_t state = kernel_lock();

	kernel_set_priority(mutex->owner, mutex->own_priority);
	mutex->owner = kernel_wake(mutex);
	if (mutex->owner != NULL)
		mutex->own_priority = kernel_priority(mutex->owner);
	kernel_yield(state);
}
