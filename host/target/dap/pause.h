/* SPDX-License-Identifier: MIT */
/* The pause that a device needs after each request. Streams of requests are sent without checks in between; a slow
 * device refuses a request that comes too early, and all after it. */
#ifndef TARGET_DAP_PAUSE_H
#define TARGET_DAP_PAUSE_H

#include <stdbool.h>
#include <stddef.h>

/* The longest that is tried, in clocks. */
#define PAUSE_MAX 1024u

/* The pause for the next stream, after one with that pause. is_early: it ended with a request that came too early,
 * after `taken` ones that did not. */
unsigned pause_next(unsigned pause, bool is_early, size_t taken);

#endif
