/* SPDX-License-Identifier: MIT */
/* Distances between samples that do not repeat. Knows nothing of timers. */
#include "recorder.h"

/* xorshift32 with the shifts of George Marsaglia, "Xorshift RNGs", Journal of Statistical Software 8 (2003): all
 * numbers but 0 come once before the first comes again. */
static uint32_t random_next(volatile struct header *header)
{
	uint32_t state = header->dither;

	state ^= state << 13;
	state ^= state >> 17;
	state ^= state << 5;
	header->dither = state;
	return state;
}

/* One of 256 steps and, because their mean is half a step too low, one more in half of the cases. */
uint32_t bareprof_dither(uint32_t period)
{
	volatile struct header *header = block_header();
	const uint32_t step = period / 512u;

	if (!block_is_initialised(header))
		return period;
	const uint32_t random = random_next(header);
	return period + step * ((random & 0xFFu) + (random >> 8 & 1u)) - step * 128u;
}
