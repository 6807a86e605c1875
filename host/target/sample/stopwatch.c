/* SPDX-License-Identifier: MIT */
/* See stopwatch.h. */
#include "target/sample/stopwatch.h"

#include <poll.h>
#include <stddef.h>
#include <time.h>

#define SECOND UINT64_C(1000000000)

static uint64_t now(void *context)
{
	struct timespec time;

	(void)context;
	clock_gettime(CLOCK_MONOTONIC, &time);
	return (uint64_t)time.tv_sec * SECOND + (uint64_t)time.tv_nsec;
}

/* A signal that is not blocked may shorten it, which does no harm to a random pause. */
static bool pause_for(void *context, uint64_t nanoseconds, int cancel)
{
	const struct timespec time = {.tv_sec = (time_t)(nanoseconds / SECOND),
	                              .tv_nsec = (long)(nanoseconds % SECOND)};
	struct pollfd ready = {.fd = cancel, .events = POLLIN};

	(void)context;
	return ppoll(&ready, 1, &time, NULL) <= 0;
}

const struct stopwatch stopwatch_system = {.now = now, .pause = pause_for};
