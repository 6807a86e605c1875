/* SPDX-License-Identifier: MIT */
/*
 * Counters that any interrupt may be counting in at the same time, and that stop at a maximum instead of wrapping.
 * Knows nothing of what is counted.
 */
#ifndef RECORDER_COUNTER_H
#define RECORDER_COUNTER_H

#include "isa.h"

#include <bareprof/block.h>
#include <stdbool.h>
#include <stdint.h>

/* False if the counter had reached its maximum, or was beyond it as one that says "unknown" is. */
static inline bool counter_increment(volatile uint32_t *counter, uint32_t maximum)
{
	uint32_t count;

	do {
		count = *counter;
		if (count >= maximum)
			return false;
	} while (!isa_replace(counter, count, count + 1));
	return true;
}

/* For the counters of the header. One that says "unknown" stays so. */
static inline void counter_add(volatile uint32_t *counter, uint32_t amount)
{
	uint32_t count;
	uint32_t sum;

	do {
		count = *counter;
		if (count >= BAREPROF_COUNTER_MAX)
			return;
		sum = amount < BAREPROF_COUNTER_MAX - count ? count + amount : BAREPROF_COUNTER_MAX;
	} while (!isa_replace(counter, count, sum));
}

#endif
