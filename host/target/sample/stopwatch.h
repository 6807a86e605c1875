/* SPDX-License-Identifier: MIT */
/* A clock with nanosecond pauses: pauses of whole milliseconds would run in step with a program that does. */
#ifndef TARGET_SAMPLE_STOPWATCH_H
#define TARGET_SAMPLE_STOPWATCH_H

#include <stdbool.h>
#include <stdint.h>

/* Replaced by tests. */
struct stopwatch {
	/* Monotonic time in nanoseconds. */
	uint64_t (*now)(void *context);
	/* Pauses; false if the descriptor cancel (-1 = none) becomes readable before. */
	bool (*pause)(void *context, uint64_t nanoseconds, int cancel);
	void *context;
};

/* The system's clock. */
extern const struct stopwatch stopwatch_system;

#endif
