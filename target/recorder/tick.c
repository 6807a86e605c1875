/* SPDX-License-Identifier: MIT */
/* A tick of a profile that is not running; tick.h handles ticks of a running profile. */
#include "random.h"
#include "recorder.h"

/* The timer keeps the last distance: without samples there is nothing to dither. */
BAREPROF_CODE(bareprof_tick_idle)
void bareprof_tick_idle(volatile struct header *header, void (*acknowledge)(uint32_t clock_units))
{
	const uint32_t state = block_state(header);

	if (state > BAREPROF_STATE_MAX) {
		acknowledge(bareprof_period());
		return;
	}
	acknowledge(distance_of(header->period, header->random));
	if (state >= BAREPROF_STATE_CLEARING)
		bareprof_clear_step(header);
	bareprof_request_serve(header);
}
