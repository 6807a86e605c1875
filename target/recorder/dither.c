/* SPDX-License-Identifier: MIT */
/* Distances between samples that do not repeat. Knows nothing of timers. */
#include "recorder.h"

/* A linear congruential generator whose period is all 2^32 numbers, of which the upper bits are used (Knuth, The Art of
 * Computer Programming 2, 3.2.1.2, theorem A; the multiplier is Marsaglia's of 3.3.4, table 1). */
#define MULTIPLIER 69069u
#define INCREMENT  1u

/* One of 256 steps and, because their mean is half a step too low, one more in half of the cases. */
uint32_t bareprof_dither(uint32_t period)
{
	volatile struct header *header = block_header();
	const uint32_t step = period / 512u;

	if (!block_is_initialised(header))
		return period;
	const uint32_t random = header->dither * MULTIPLIER + INCREMENT;
	header->dither = random;
	return period + step * ((random >> 24) + (random >> 23 & 1u) - 128u);
}
