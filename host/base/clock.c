/* SPDX-License-Identifier: MIT */
/* See clock.h. */
#include "base/clock.h"

#include <time.h>

/* poll() takes an int: longer waits are split into steps. */
#define STEP_MAX 60000

uint64_t clock_now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

int clock_left(uint64_t deadline)
{
	uint64_t now = clock_now();
	uint64_t left = deadline > now ? deadline - now : 0;

	return left > STEP_MAX ? STEP_MAX : (int)left;
}
