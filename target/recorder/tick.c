/* SPDX-License-Identifier: MIT */
/* What each sampling interrupt does: a sample, a request of the host, a step of a reset. Knows nothing of timers. */
#include "counter.h"
#include "recorder.h"

void bareprof_sample(uintptr_t pc)
{
	const uint32_t gate = block_header()->gate;

	if (gate == block_gate_open()) {
		counter_add(&block_header()->ticks, 1);
		bareprof_layout.count_sample(pc);
	} else if (gate != block_gate_closed()) {
		return;
	}
	bareprof_request_serve();
	bareprof_clear_step();
}

void bareprof_tick_missed(uint32_t ticks)
{
	if (block_is_recording())
		counter_add(&block_header()->ticks_missed, ticks);
}
