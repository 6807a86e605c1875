/* SPDX-License-Identifier: MIT */
/* See rhythm.h. */
#include "sample/rhythm.h"

#include <math.h>
#include <stdlib.h>

_Static_assert(2 * RHYTHM_BATCH_MEAN == RHYTHM_BATCH_MOST + 1, "lengths from 1 on are uniform");

void rhythm_begin(struct rhythm *rhythm, unsigned rate, uint64_t seed)
{
	*rhythm = (struct rhythm){
	        .state = {(unsigned short)seed, (unsigned short)(seed >> 16), (unsigned short)(seed >> 32)},
	        .aim = 1e9 * RHYTHM_BATCH_MEAN / rate,
	};
}

size_t rhythm_next_length(struct rhythm *rhythm)
{
	return 1 + (size_t)(erand48(rhythm->state) * RHYTHM_BATCH_MOST);
}

uint64_t rhythm_next_pause(struct rhythm *rhythm, uint64_t taken)
{
	rhythm->busy += (double)taken;
	rhythm->batches++;
	double batch = rhythm->busy / rhythm->batches;
	double mean = fmax(rhythm->aim - batch, batch);
	return (uint64_t)(-log1p(-erand48(rhythm->state)) * mean);
}
