/* SPDX-License-Identifier: MIT */
/* Monotonic time and deadlines. */
#ifndef BASE_CLOCK_H
#define BASE_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

/* Milliseconds of a monotonic clock; deadlines are given in it. */
uint64_t clock_now(void);
/* Milliseconds until the deadline, as poll() takes them. At most one minute: callers then ask again. */
int clock_left(uint64_t deadline);

/* A clock that tests can replace. Code that waits for a descriptor uses clock_now() instead. */
struct clock {
	uint64_t (*now)(void);
	/* Waits until the deadline; false if the descriptor cancel (-1: none) becomes readable first. */
	bool (*pause)(uint64_t deadline, int cancel);
	/* The same in nanoseconds: pauses of whole milliseconds would run in step with a program that does. */
	uint64_t (*nanoseconds)(void);
	bool (*pause_nanoseconds)(uint64_t duration, int cancel);
};

#endif
