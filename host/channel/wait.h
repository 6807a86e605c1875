/* SPDX-License-Identifier: MIT */
/* Waiting for a descriptor, no longer than was told and not once it was cancelled. Knows nothing of what comes. */
#ifndef CHANNEL_WAIT_H
#define CHANNEL_WAIT_H

#include <stdint.h>

/* What a wait comes to, and whatever has to wait first: a read, a write. */
enum channel_result {
	CHANNEL_DATA,
	CHANNEL_TIMEOUT,
	CHANNEL_CLOSED, /* the other end, the cable or the device is gone */
	CHANNEL_CANCELLED,
};

/*
 * Waits for one of events (POLLIN, POLLOUT) at descriptor until the clock (tcp_clock()) is at deadline. CHANNEL_DATA
 * also where something is wrong with the descriptor: whatever is done with it next reports that, so that CHANNEL_CLOSED
 * never comes of waiting alone. cancel: a descriptor that ends the waiting as soon as it can be read from; -1 = none.
 * descriptor = -1: there is nothing but these two ends.
 */
enum channel_result wait_until(int descriptor, short events, int cancel, uint64_t deadline);

#endif
