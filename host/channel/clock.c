/* SPDX-License-Identifier: MIT */
/* See clock.h. */
#include "channel/clock.h"
#include "channel/tcp.h"

#include <poll.h>
#include <stddef.h>

static bool pause_until(uint64_t deadline, int cancel)
{
	for (;;) {
		uint64_t now = tcp_clock();
		struct pollfd ready = {.fd = cancel, .events = POLLIN};
		if (now >= deadline)
			return true;
		uint64_t left = deadline - now;
		if (poll(&ready, 1, left > 60000 ? 60000 : (int)left) > 0)
			return false;
	}
}

const struct channel_clock clock_system = {
        .now = tcp_clock,
        .pause = pause_until,
};
