/* SPDX-License-Identifier: MIT */
/* What each sampling interrupt does: a sample, a request of the host, a step of a reset. Knows nothing of timers. */
#include "counter.h"
#include "recorder.h"

/* The window has this many ticks left, with the one that was just counted. */
static void window_close_by_one(volatile struct header *header, uint32_t window)
{
	window--;
	header->window = window;
	if (window == 0)
		bareprof_stop();
}

void bareprof_sample(uintptr_t pc)
{
	volatile struct header *header = block_header();
	const uint32_t state = block_state(header);

	if (state == BAREPROF_STATE_RUNNING) {
		const uint32_t window = header->window;

		counter_increment_alone(&header->ticks);
		bareprof_layout.count_sample(pc, header);
		if (window != 0)
			window_close_by_one(header, window);
	} else if (state > BAREPROF_STATE_MAX) {
		return;
	} else if (state >= BAREPROF_STATE_CLEARING) {
		bareprof_clear_step(header);
	}
	if (header->control_request != header->control_acknowledge)
		bareprof_request_serve(header);
}
