/* SPDX-License-Identifier: MIT */
/* Waiting for a descriptor, no longer than was told and not once it was cancelled. Knows nothing of what comes. */
#ifndef BASE_WAIT_H
#define BASE_WAIT_H

#include <stdbool.h>
#include <stdint.h>

/* What a wait comes to, and whatever has to wait first: a read, a write. */
enum wait_result {
	WAIT_DONE,
	WAIT_TIMEOUT,
	WAIT_CLOSED, /* the other end, the cable or the device is gone */
	WAIT_CANCELLED,
};

/*
 * Waits for one of events (POLLIN, POLLOUT) at descriptor until the clock (clock_now()) is at deadline. WAIT_DONE
 * also where something is wrong with the descriptor: whatever is done with it next reports that, so that WAIT_CLOSED
 * never comes of waiting alone. cancel: a descriptor that ends the waiting as soon as it can be read from; -1 = none.
 * descriptor = -1: there is nothing but these two ends.
 */
enum wait_result wait_until(int descriptor, short events, int cancel, uint64_t deadline);

/* Waits for nothing, so many milliseconds; false as soon as cancel can be read from. 0 milliseconds: only looks. */
bool wait_pause(unsigned milliseconds, int cancel);

#endif
