/* SPDX-License-Identifier: MIT */
/*
 * One tick of the sampling timer: draws the distance to the next one, files a sample and serves a request of the host.
 * It is compiled into the function of each store of samples, so that the common case makes no call.
 */
#ifndef RECORDER_TICK_H
#define RECORDER_TICK_H

#include "constants.h"
#include "counter.h"
#include "isa.h"
#include "random.h"
#include "recorder.h"
#if BAREPROF_PATHS != 0
#include "paths.h"
#elif BAREPROF_STACKS != 0
#include "slices.h"
#endif

_Static_assert(BAREPROF_COUNTER_LIMIT % BAREPROF_TIMED_TICKS == 0, "the tick at the limit is not timed");

typedef void acknowledge_function(uint32_t clock_units);

/* The last argument of tick(), which only variants with stacks have. */
#if BAREPROF_STACKS != 0
#define INTERRUPTED interrupted
#else
#define INTERRUPTED NULL
#endif

/* Counts one tick of the window, if there is one, and stops the profile after the last. */
BAREPROF_INLINE void window_count(volatile struct header *header)
{
	uint32_t window = header->trigger.window;

	if (window == 0)
		return;
	header->trigger.window = --window;
	if (window == 0)
		bareprof_stop();
}

BAREPROF_INLINE void request_look(volatile struct header *header)
{
	if (header->control_request != header->control_acknowledge)
		bareprof_request_serve(header);
}

BAREPROF_INLINE void shortest_keep(volatile struct header *header, uint32_t time)
{
	if (time - 1u < header->tick_cost - 1u)
		header->tick_cost = time;
}

/*
 * cost_take() measures a timed tick, from the moment the timer fired until now. distance: from that moment to the next
 * firing. before: how much of the distance was left when the tick began.
 */
#if BAREPROF_STACKS != 0
/*
 * Firings that merge while a tick lasts are not counted as ticks, so reports lack their time. The cost must lack it,
 * too: if the timer fired more than once, the cost is taken as one and a half distances.
 */
BAREPROF_INLINE uint32_t overrun_count(volatile uint32_t *totals, uint32_t since_begin, uint32_t distance)
{
	totals[BAREPROF_STACK_TOTAL_OVERRUNS]++;
	return since_begin - distance < distance ? since_begin : distance + distance / 2u;
}

/*
 * The cost of ticks that record stacks varies, so it is summed, including stack_offer(). Only for the time until the
 * tick began is the minimum kept, because masked sections add to it. RISC-V's timer has passed its deadline when the
 * tick begins, so `before` is negative, and the tick has then moved the deadline by the distance. Any other timer has
 * restarted its distance if it fired in between.
 */
BAREPROF_INLINE void cost_take(volatile struct header *header, uint32_t distance, uint32_t before)
{
	volatile uint32_t *totals = header->stack_totals;
	const bool has_deadline = before > distance;
	const uint32_t until_begin = (has_deadline ? 0 : distance) - before;
	uint32_t since_begin = before - bareprof_timer_remaining();
	uint32_t sum;

	if (has_deadline || isa_interrupt_is_pending())
		since_begin += distance;
	if (until_begin >= distance || since_begin > INT32_MAX)
		return;
	KEEP_ADDRESS(totals);
	if (since_begin >= distance)
		since_begin = overrun_count(totals, since_begin, distance);
	shortest_keep(header, until_begin);
	sum = totals[BAREPROF_STACK_TOTAL_COST] + since_begin;
	totals[BAREPROF_STACK_TOTAL_TIMED]++;
	totals[BAREPROF_STACK_TOTAL_COST_HIGH] += sum < since_begin;
	totals[BAREPROF_STACK_TOTAL_COST] = sum;
}

#else

/*
 * If more is left now than before, the tick was late and the timer has fired again in between: the measurement is
 * dropped. Interrupts of a higher priority and masked interrupts can only add to the time, so the minimum is the cost
 * of a tick.
 */
BAREPROF_INLINE void cost_take(volatile struct header *header, uint32_t distance, uint32_t before)
{
	const uint32_t after = bareprof_timer_remaining();

	if (after < before)
		shortest_keep(header, distance - after);
}
#endif

/*
 * A timed tick sets the last distance again, so this is the timer's current distance, whether the timer uses a new one
 * at once or from its next firing. The return from the interrupt belongs to the cost, but follows the second reading of
 * the timer. It takes about as long as the two readings, which other ticks do not make; if it takes longer, a timed
 * tick waits for the difference.
 */
BAREPROF_INLINE void tick(uintptr_t pc, acknowledge_function *acknowledge,
                          const struct bareprof_interrupted *interrupted,
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
	const bool is_timed = ticks % BAREPROF_TIMED_TICKS == 0;

	uint32_t drawn = random_next(random);
	if (is_timed) {
		isa_wait_for_return();
		before = bareprof_timer_remaining();
		if (ticks >= BAREPROF_COUNTER_LIMIT) {
			ticks--;
#if BAREPROF_STACKS != 0
			/* No more stacks are offered, so their number cannot pass the limit either. */
			interrupted = NULL;
#endif
		}
		drawn = random;
	}
	header->random = drawn;

	const uint32_t distance = distance_of(header->period, drawn);

	acknowledge(distance);
	header->ticks = ticks + 1u;
	window_count(header);
	request_look(header);
	count(pc, header);
#if BAREPROF_STACKS != 0
	stack_offer(header, pc, interrupted);
#else
	(void)interrupted;
#endif
	if (is_timed)
		cost_take(header, distance, before);
}

#endif
