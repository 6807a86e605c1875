/* SPDX-License-Identifier: MIT */
/* The sampling clock changes its rate. Knows nothing of timers. */
#include "recorder.h"

/* The gate closes first: nothing is counted at the new rate into the old epoch. */
void bareprof_clock_changed(uint32_t hz)
{
	if (bareprof_state_change(TURN_RESET))
		block_header()->clock_hz = hz;
}
