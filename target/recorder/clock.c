/* SPDX-License-Identifier: MIT */
/* bareprof_clock_changed(): a new rate of the sampling clock. */
#include "recorder.h"

/* The gate closes first, so that no sample at the new rate is counted in the old epoch. */
BAREPROF_CODE(bareprof_clock_changed) void bareprof_clock_changed(uint32_t hz)
{
	if (bareprof_state_change(TRANSITION_RESET))
		block_header()->clock_hz = hz;
}
