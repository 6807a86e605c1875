/* SPDX-License-Identifier: MIT */
/* See clock.h. */
#include "base/clock.h"

#include <time.h>

/* In milliseconds. poll() takes an int, so longer waits are split. */
#define POLL_TIMEOUT_MAX 60000

uint64_t clock_nanoseconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

uint64_t clock_now(void)
{
	return clock_nanoseconds() / 1000000;
}

int clock_poll_timeout(uint64_t deadline)
{
	uint64_t now = clock_now();
	uint64_t milliseconds = deadline > now ? deadline - now : 0;

	return milliseconds > POLL_TIMEOUT_MAX ? POLL_TIMEOUT_MAX : (int)milliseconds;
}
