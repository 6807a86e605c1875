/* SPDX-License-Identifier: MIT */
/* See clock.h. */
#include "channel/clock.h"

#include "channel/tcp.h"
#include "channel/wait.h"

static bool pause_until(uint64_t deadline, int cancel)
{
	return wait_until(-1, 0, cancel, deadline) != CHANNEL_CANCELLED;
}

const struct channel_clock clock_system = {
        .now = tcp_clock,
        .pause = pause_until,
};
