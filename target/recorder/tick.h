/* SPDX-License-Identifier: MIT */
/*
 * What a sampling interrupt does: a distance to the next one, a sample, a request of the host, a step of a reset. It is
 * compiled into the function of each store of samples, so that a sample that finds its place costs no call. Knows
 * nothing of timers.
 */
#ifndef RECORDER_TICK_H
#define RECORDER_TICK_H

#include "constants.h"
#include "counter.h"
#include "isa.h"
#include "random.h"
#include "recorder.h"

_Static_assert(BAREPROF_COUNTER_LIMIT % TIMED_TICKS == 0, "the limit is no timed tick");

typedef void acknowledge_function(uint32_t clock_units);

/* The window has this many ticks left, with the one that was just counted. */
static inline void window_count(volatile struct header *header)
{
	uint32_t window = header->window;

	if (window == 0)
		return;
	header->window = --window;
	if (window == 0)
		bareprof_stop();
}

static inline void request_look(volatile struct header *header)
{
	if (header->control_request != header->control_acknowledge)
		bareprof_request_serve(header);
}

/*
 * What a timed tick takes, from the moment the timer fired to the call of this. distance: from then to the next time,
 * as the timer has it now. before: what remained of that when the tick began. If more is left now, the timer has fired
 * in between, for the tick came late, and the time is of no use. Interrupts of a higher priority, and sections with
 * interrupts masked, can only add to the time: the least that was seen is what a tick costs.
 */
static inline void cost_take(volatile struct header *header, uint32_t distance, uint32_t before)
{
	const uint32_t after = bareprof_timer_remaining();
	const uint32_t cost = distance - after;

	if (after < before && cost < distance && cost - 1u < header->tick_cost - 1u)
		header->tick_cost = cost;
}

/*
 * A timed tick hands out the last distance again: whether the timer takes up a new one at once or when it fires next,
 * this is then the one that it has. After its second look at the timer comes the return from the interrupt, which is in
 * the cost, too; other ticks lack the two looks instead, and where the return is longer the tick waits for the
 * difference.
 */
static inline __attribute__((always_inline)) void tick(uintptr_t pc, acknowledge_function *acknowledge,
                                                       void (*count)(uintptr_t pc, volatile struct header *header))
{
	volatile struct header *header = block_header();

	if (block_state(header) != BAREPROF_STATE_RUNNING) {
		bareprof_tick_idle(header, acknowledge);
		return;
	}

	uint32_t ticks = header->ticks;
	const uint32_t random = header->random;
	uint32_t before = 0;
	const bool is_timed = ticks % TIMED_TICKS == 0;

	uint32_t drawn = random_next(random);
	if (is_timed) {
		isa_wait_for_return();
		before = bareprof_timer_remaining();
		if (ticks >= BAREPROF_COUNTER_LIMIT)
			ticks--;
		drawn = random;
	}
	header->random = drawn;

	const uint32_t distance = distance_of(header->period, drawn);

	acknowledge(distance);
	header->ticks = ticks + 1u;
	window_count(header);
	request_look(header);
	count(pc, header);
	if (is_timed)
		cost_take(header, distance, before);
}

#endif
