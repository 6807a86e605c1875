/* SPDX-License-Identifier: MIT */
/* Increments that interrupts may interrupt; see counter.h. */
#include "counter.h"

#include "isa.h"

BAREPROF_CODE(bareprof_counter_increment) bool bareprof_counter_increment(volatile uint32_t *counter)
{
	if (*counter >= BAREPROF_COUNTER_LIMIT)
		return false;

	isa_add(counter, 1);
	return true;
}
