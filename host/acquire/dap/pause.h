/* SPDX-License-Identifier: MIT */
/* The pause that a device needs after each request. Requests are sent in streams, without checks in between. A slow
 * device refuses a request that comes too early, and all requests after it. */
#ifndef ACQUIRE_DAP_PAUSE_H
#define ACQUIRE_DAP_PAUSE_H

#include <stdbool.h>
#include <stddef.h>

/* The longest pause that is tried, in clocks. */
#define PAUSE_MAX 1024u

/* The pause for the next stream, after a stream with this pause. is_early: the stream ended with a request that came
 * too early, after `taken` accepted requests. */
unsigned pause_next(unsigned pause, bool is_early, size_t taken);

#endif
