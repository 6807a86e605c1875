/* SPDX-License-Identifier: MIT */
/* See wait.h. */
#include "base/wait.h"

#include "base/clock.h"

#include <errno.h>
#include <poll.h>

enum wait_result wait_until(int descriptor, short events, int cancel, uint64_t deadline)
{
	for (;;) {
		struct pollfd ready[] = {{.fd = descriptor, .events = events}, {.fd = cancel, .events = POLLIN}};
		int count = poll(ready, 2, clock_left(deadline));

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

const struct clock clock_system = {
        .now = clock_now,
        .pause = pause_until,
};
