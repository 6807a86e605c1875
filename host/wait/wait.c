/* SPDX-License-Identifier: MIT */
/* See wait.h. */
#include "wait/wait.h"

#include "wait/clock.h"

#include <errno.h>
#include <poll.h>

/* Longer waits, which poll() may not take, are made of several. */
#define STEP_MAX 60000

enum wait_result wait_until(int descriptor, short events, int cancel, uint64_t deadline)
{
	for (;;) {
		uint64_t now = clock_now();
		uint64_t left = deadline > now ? deadline - now : 0;
		struct pollfd ready[] = {{.fd = descriptor, .events = events}, {.fd = cancel, .events = POLLIN}};
		int count = poll(ready, 2, left > STEP_MAX ? STEP_MAX : (int)left);
		if (count > 0)
			return ready[1].revents ? WAIT_CANCELLED : WAIT_DONE;
		if (count < 0 && errno != EINTR)
			return WAIT_DONE;
		if (clock_now() >= deadline)
			return WAIT_TIMEOUT;
	}
}
