/* SPDX-License-Identifier: MIT */
/* The sampling clock changes its rate. */
#include "recorder.h"

/* The gate closes first: nothing is counted at the new rate into the old epoch. */
void bareprof_clock_changed(uint32_t hz)
{
	if (bareprof_state_change(TRANSITION_RESET))
		block_header()->clock_hz = hz;
}
