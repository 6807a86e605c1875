/* SPDX-License-Identifier: MIT */
/* Waiting for a descriptor, no longer than was told and not once it was cancelled. Knows nothing of what comes. */
#ifndef CHANNEL_WAIT_H
#define CHANNEL_WAIT_H

#include <stdint.h>

enum wait_result { WAIT_READY, WAIT_TIMEOUT, WAIT_CANCELLED };

/*
 * Waits for one of events (POLLIN, POLLOUT) at descriptor until the clock (tcp_clock()) is at deadline. WAIT_READY also
 * where something is wrong with the descriptor: whatever is done with it next reports that. cancel: a descriptor that
 * ends the waiting as soon as it can be read from; -1 = none.
 */
enum wait_result wait_until(int descriptor, short events, int cancel, uint64_t deadline);

#endif
