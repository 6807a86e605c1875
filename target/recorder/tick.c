/* SPDX-License-Identifier: MIT */
/* What each sampling interrupt does: a sample, a request of the host, a step of a reset. Knows nothing of timers. */
#include "counter.h"
#include "recorder.h"

static void count_tick(volatile struct header *header, uintptr_t pc)
{
	const uint32_t window = header->window;

	counter_increment_alone(&header->ticks);
	bareprof_layout.count_sample(pc);
	if (window == 0)
		return;
	header->window = window - 1;
	if (window == 1)
		bareprof_stop();
}

void bareprof_sample(uintptr_t pc)
{
	volatile struct header *header = block_header();

	if (header->gate == GATE_OPEN(header))
		count_tick(header, pc);
	else if (!block_is_initialised(header))
		return;
	else if (bareprof_clear_is_under_way(header))
		bareprof_clear_step(header);
	bareprof_request_serve(header);
}

/* Only the sampling interrupt counts here. */
void bareprof_tick_missed(uint32_t ticks)
{
	volatile struct header *header = block_header();
	const uint32_t missed = header->ticks_missed;

	if (header->gate != GATE_OPEN(header) || missed >= BAREPROF_COUNTER_LIMIT)
		return;
	header->ticks_missed = ticks < BAREPROF_COUNTER_LIMIT - missed ? missed + ticks : BAREPROF_COUNTER_LIMIT;
}
