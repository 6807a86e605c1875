/* SPDX-License-Identifier: MIT */
/* Distances for handlers that set their timer themselves. */
#include "random.h"
#include "recorder.h"

BAREPROF_CODE(bareprof_dither) uint32_t bareprof_dither(uint32_t period)
{
	volatile struct header *header = block_header();

	if (!block_is_initialised(header))
		return period;
	const uint32_t random = random_next(header->random);
	header->random = random;
	return distance_of(period, random);
}
