/* SPDX-License-Identifier: MIT */
/* See rtos.h: timers, in a list that the timer task searches whenever one may be due. */
#include "kernel.h"

#include <stddef.h>

static struct rtos_timer *timers;
static struct rtos_queue changes; /* wakes the timer task */

static bool is_known(const struct rtos_timer *timer)
{
	for (const struct rtos_timer *known = timers; known != NULL; known = known->next)
		if (known == timer)
			return true;
	return false;
}

void rtos_timer_start(struct rtos_timer *timer, uint32_t period)
{
	const uint32_t state = kernel_lock();

	timer->period = period;
	timer->due = kernel_now() + period;
	if (!is_known(timer)) {
		timer->next = timers;
		timers = timer;
	}
	kernel_unlock(state);
	rtos_queue_send(&changes, 0, 0);
}

/* The ticks until the timer is due. */
static uint32_t serve_timer(struct rtos_timer *timer)
{
	while (timer->period != 0 && (int32_t)(kernel_now() - timer->due) >= 0) {
		timer->due += timer->period;
		timer->function();
	}
	return timer->period != 0 ? timer->due - kernel_now() : RTOS_FOREVER;
}

static uint32_t serve_timers(void)
{
	uint32_t first = RTOS_FOREVER;

	for (struct rtos_timer *timer = timers; timer != NULL; timer = timer->next) {
		const uint32_t ticks = serve_timer(timer);

		first = ticks < first ? ticks : first;
	}
	return first;
}

void timers_run(void)
{
	uint32_t ignored;

	for (;;)
		rtos_queue_receive(&changes, &ignored, serve_timers());
}
