/* SPDX-License-Identifier: MIT */
/* See pause.h. */
#include "target/dap/pause.h"

/* A device that needs a pause refuses one of the first requests after one that it accepted. One that refuses a later
 * request, or keeps refusing the same, is busy now and then: a pause after each request would cost more than it saves.
 */
#define FIRST 2u

unsigned pause_next(unsigned pause, bool is_early, size_t taken)
{
	if (!is_early || taken == 0 || taken > FIRST)
		return pause - pause / 16; /* a short one may stay: it costs little */
	if (pause == 0)
		return 1;
	/* Not even the longest helps: search again. */
	return pause < PAUSE_MAX ? 2 * pause : 0;
}
