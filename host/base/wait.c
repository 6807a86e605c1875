/* SPDX-License-Identifier: MIT */
/* See wait.h. */
#include "base/wait.h"

#include "base/clock.h"

#include <errno.h>
#include <poll.h>
#include <time.h>

/* Nanoseconds. */
#define SECOND UINT64_C(1000000000)

enum wait_result wait_until(int descriptor, short events, int cancel, uint64_t deadline)
{
	for (;;) {
		struct pollfd ready[] = {{.fd = descriptor, .events = events}, {.fd = cancel, .events = POLLIN}};
		int count = poll(ready, 2, clock_poll_timeout(deadline));

		if (count > 0)
			return ready[1].revents ? WAIT_CANCELLED : WAIT_DONE;
		if (count < 0 && errno != EINTR)
			return WAIT_DONE;
		if (clock_now() >= deadline)
			return WAIT_TIMEOUT;
	}
}

bool wait_pause(unsigned milliseconds, int cancel)
{
	return wait_until(-1, 0, cancel, clock_now() + milliseconds) != WAIT_CANCELLED;
}

static bool pause_until(uint64_t deadline, int cancel)
{
	return wait_until(-1, 0, cancel, deadline) != WAIT_CANCELLED;
}

static bool pause_nanoseconds(uint64_t duration, int cancel)
{
	const struct timespec time = {.tv_sec = (time_t)(duration / SECOND), .tv_nsec = (long)(duration % SECOND)};
	struct pollfd ready = {.fd = cancel, .events = POLLIN};

	return ppoll(&ready, 1, &time, NULL) <= 0;
}

const struct clock clock_system = {
        .now = clock_now,
        .pause = pause_until,
        .nanoseconds = clock_nanoseconds,
        .pause_nanoseconds = pause_nanoseconds,
};
