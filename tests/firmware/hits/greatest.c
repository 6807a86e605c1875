/* SPDX-License-Identifier: MIT */
/* Looks through the table of arcs in the block. */
#include "hits.h"

#include <bareprof/bareprof.h>

#ifndef SLOT_SIZE
#define SLOT_SIZE    BAREPROF_ARC_SIZE
#define COUNT_OFFSET BAREPROF_ARC_COUNT(sizeof(uintptr_t))
#endif

uint32_t greatest_arc_count(void)
{
	const uintptr_t first = (uintptr_t)bareprof_block + BAREPROF_ARCS_OFFSET + COUNT_OFFSET;
	uint32_t greatest = 0;

	for (uint32_t i = 0; i < HITS_ARCS; i++) {
		const uint32_t count = *(const volatile uint32_t *)(first + i * SLOT_SIZE);

		if (count > greatest)
			greatest = count;
	}
	return greatest;
}
