/* SPDX-License-Identifier: MIT */
/* Time, as a client of a channel knows it. Knows nothing of channels. */
#ifndef CHANNEL_CLOCK_H
#define CHANNEL_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

struct channel_clock {
	/* Milliseconds; only goes forward. Deadlines are given in it. */
	uint64_t (*now)(void);
	/* Waits until the deadline; false if the descriptor cancel (-1 = none) can be read from before. */
	bool (*pause)(uint64_t deadline, int cancel);
};

/* The computer's: now() is tcp_clock(). */
extern const struct channel_clock clock_system;

#endif
