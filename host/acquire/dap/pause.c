/* SPDX-License-Identifier: MIT */
/* See pause.h. */
#include "acquire/dap/pause.h"

/* A device that needs a pause accepts a request and refuses one of the next FIRST. A device that refuses only later
 * requests, or the same one again, is merely busy at times; a pause after each request would then cost more than it
 * saves. */
#define FIRST 2u

unsigned pause_next(unsigned pause, bool is_early, size_t taken)
{
	if (!is_early || taken == 0 || taken > FIRST)
		return pause - pause / 16; /* a pause below 16 is kept, because it costs little */
	if (pause == 0)
		return 1;
	/* Even the longest pause does not help: start again without one. */
	return pause < PAUSE_MAX ? 2 * pause : 0;
}
