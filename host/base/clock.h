/* SPDX-License-Identifier: MIT */
/* Time, for whoever waits. */
#ifndef BASE_CLOCK_H
#define BASE_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

/* Milliseconds on a clock that only goes forward; deadlines are given in it. */
uint64_t clock_now(void);
/* Milliseconds until the deadline, as poll() takes them: of a longer time a minute, behind which to ask again. */
int clock_left(uint64_t deadline);

/* A clock that tests may put another in the place of. */
struct clock {
	uint64_t (*now)(void);
	/* Waits until the deadline; false if the descriptor cancel (-1 = none) can be read from before. */
	bool (*pause)(uint64_t deadline, int cancel);
};

/* The computer's: now() is clock_now(). */
extern const struct clock clock_system;

#endif
