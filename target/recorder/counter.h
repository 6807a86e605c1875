/* SPDX-License-Identifier: MIT */
/* Counters that stop at a limit instead of wrapping, and that interrupts may increment at the same time. */
#ifndef RECORDER_COUNTER_H
#define RECORDER_COUNTER_H

#include "compiler.h"

#include <bareprof/block.h>
#include <stdbool.h>
#include <stdint.h>

/*
 * Returns false if the counter has reached its limit or means "unknown", which is beyond it. Interrupts that count
 * between the comparison and the addition take it beyond the limit, but by no more than the number of nested
 * interrupts, which is far less than the range left above the limit.
 */
bool bareprof_counter_increment(volatile uint32_t *counter);

/* bareprof_counter_increment() for counters that only the sampling interrupt changes. */
BAREPROF_INLINE bool counter_increment_alone(volatile uint32_t *counter)
{
	const uint32_t count = *counter;

	if (count >= BAREPROF_COUNTER_LIMIT)
		return false;
	*counter = count + 1;
	return true;
}

#endif
