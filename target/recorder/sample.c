/* SPDX-License-Identifier: MIT */
/*
 * A tick whose interrupt the handler has already acknowledged: its timer has a fixed period, or the handler drew the
 * next distance itself.
 */
#include "recorder.h"

BAREPROF_CODE(bareprof_acknowledged) static void bareprof_acknowledged(uint32_t clock_units)
{
	(void)clock_units;
}

/* The words that a timed tick changes. */
struct costs {
	uint32_t tick;
#if BAREPROF_STACKS != 0
	uint32_t totals[BAREPROF_STACK_TOTAL_COST_HIGH - BAREPROF_STACK_TOTAL_TIMED + 1];
	uint32_t overruns;
#endif
};

BAREPROF_INLINE struct costs costs_read(volatile struct header *header)
{
	struct costs costs = {.tick = header->tick_cost};

#if BAREPROF_STACKS != 0
	for (unsigned i = 0; i < sizeof costs.totals / sizeof costs.totals[0]; i++)
		costs.totals[i] = header->stack_totals[BAREPROF_STACK_TOTAL_TIMED + i];
	costs.overruns = header->stack_totals[BAREPROF_STACK_TOTAL_OVERRUNS];
#endif
	return costs;
}

BAREPROF_INLINE void costs_restore(volatile struct header *header, const struct costs *costs)
{
	header->tick_cost = costs->tick;
#if BAREPROF_STACKS != 0
	for (unsigned i = 0; i < sizeof costs->totals / sizeof costs->totals[0]; i++)
		header->stack_totals[BAREPROF_STACK_TOTAL_TIMED + i] = costs->totals[i];
	header->stack_totals[BAREPROF_STACK_TOTAL_OVERRUNS] = costs->overruns;
#endif
}

/* Restores the random number, because only handlers that dither may draw it. With such a handler the recorder does not
 * know the timer's current distance, so it restores the cost of a tick as well. */
BAREPROF_INLINE void sample(uintptr_t interrupted_pc, const struct bareprof_interrupted *interrupted)
{
	volatile struct header *header = block_header();

	if (!block_is_initialised(header))
		return;
	const uint32_t random = header->random;
	const struct costs costs = costs_read(header);
	const bool may_be_timed = block_state(header) == BAREPROF_STATE_RUNNING;

#if BAREPROF_STACKS != 0
	bareprof_stack_tick(interrupted_pc, bareprof_acknowledged, interrupted);
#else
	(void)interrupted;
	bareprof_tick(interrupted_pc, bareprof_acknowledged);
#endif
	header->random = random;
	if (may_be_timed && random != 0)
		costs_restore(header, &costs);
}

#if BAREPROF_STACKS != 0
BAREPROF_CODE(bareprof_stack_sample)
void bareprof_stack_sample(uintptr_t interrupted_pc, const struct bareprof_interrupted *interrupted)
{
	sample(interrupted_pc, interrupted);
}

BAREPROF_CODE(bareprof_sample) void bareprof_sample(uintptr_t interrupted_pc)
{
	bareprof_stack_sample(interrupted_pc, NULL);
}
#else
BAREPROF_CODE(bareprof_sample) void bareprof_sample(uintptr_t interrupted_pc)
{
	sample(interrupted_pc, NULL);
}
#endif
