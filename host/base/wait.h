/* SPDX-License-Identifier: MIT */
/* Waiting for a descriptor, with a deadline and a way to cancel. */
#ifndef BASE_WAIT_H
#define BASE_WAIT_H

#include "base/clock.h"

#include <stdbool.h>
#include <stdint.h>

/* How a wait ended. Reads and writes that can wait return it, too. */
enum wait_result {
	WAIT_DONE,
	WAIT_TIMEOUT,
	WAIT_CLOSED, /* the other end, the cable or the device is gone */
	WAIT_CANCELLED,
};

/*
 * Waits for one of events (POLLIN, POLLOUT) on descriptor until deadline, a time of clock_now(). Returns WAIT_DONE also
 * when the descriptor has an error, which the next read or write reports; waiting alone never returns WAIT_CLOSED.
 * cancel is a descriptor that ends the wait once it is readable; -1: none. With descriptor = -1 only the deadline and
 * cancel end the wait.
 */
enum wait_result wait_until(int descriptor, short events, int cancel, uint64_t deadline);

/* Sleeps this many milliseconds; returns false as soon as cancel is readable. 0 milliseconds: only checks cancel. */
bool wait_pause(unsigned milliseconds, int cancel);

/* The real clock: now() is clock_now(). A signal may shorten pause_nanoseconds(). */
extern const struct clock clock_system;

#endif
