/* SPDX-License-Identifier: MIT */
/* Time to the nanosecond: a pause of whole milliseconds would keep step with a program that works by them. */
#ifndef TARGET_SAMPLE_STOPWATCH_H
#define TARGET_SAMPLE_STOPWATCH_H

#include <stdbool.h>
#include <stdint.h>

/* That tests may put another in the place of. */
struct stopwatch {
	/* Nanoseconds that only go forward. */
	uint64_t (*now)(void *context);
	/* Waits for so many of them; false if the descriptor cancel (-1 = none) can be read from before. */
	bool (*pause)(void *context, uint64_t nanoseconds, int cancel);
	void *context;
};

/* The computer's. */
extern const struct stopwatch stopwatch_system;

#endif
