/* SPDX-License-Identifier: MIT */
/* Monotonic time and deadlines. */
#ifndef BASE_CLOCK_H
#define BASE_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

/* The time of a monotonic clock, in nanoseconds. */
uint64_t clock_nanoseconds(void);
/* The same time in milliseconds, in which deadlines are given. */
uint64_t clock_now(void);
/* Milliseconds until the deadline, for poll(). At most one minute: after a time-out, callers must check whether the
 * deadline has passed. */
int clock_poll_timeout(uint64_t deadline);

/* A clock that tests can replace. Code that waits for a descriptor uses clock_now() instead. */
struct clock {
	uint64_t (*now)(void);
	/* Waits until the deadline; false if the descriptor cancel (-1: none) becomes readable first. */
	bool (*pause)(uint64_t deadline, int cancel);
	/* Time and pauses in nanoseconds: pauses of whole milliseconds could stay in step with a periodic program. */
	uint64_t (*nanoseconds)(void);
	bool (*pause_nanoseconds)(uint64_t duration, int cancel);
};

#endif
