/* SPDX-License-Identifier: MIT */
/* See rhythm.h. */
#include "target/sample/rhythm.h"

#include <math.h>
#include <stdlib.h>

_Static_assert(2 * RHYTHM_BATCH_MEAN == RHYTHM_BATCH_MAX + 1, "lengths from 1 on are uniform");

/* A USB request takes a few of them. More batches per second gain little. */
#define BATCH_NANOSECONDS 1.6e6

void rhythm_begin(struct rhythm *rhythm, unsigned rate, uint64_t seed)
{
	*rhythm = (struct rhythm){
	        .state = {(unsigned short)seed, (unsigned short)(seed >> 16), (unsigned short)(seed >> 32)},
	        .rate = rate,
	};
}

static double mean_taken(const struct rhythm *rhythm)
{
	return rhythm->batches > 0 ? rhythm->busy / rhythm->batches : 0;
}

/* Mean reads per batch. A batch and a pause as long make up one period. */
static double mean_length(const struct rhythm *rhythm)
{
	double needed = rhythm->rate * fmax(2 * mean_taken(rhythm), BATCH_NANOSECONDS) / 1e9;

	return fmin(ceil(needed), RHYTHM_BATCH_MEAN);
}

/* Mean nanoseconds between the starts of two batches, at the requested rate. */
static double aim(const struct rhythm *rhythm)
{
	return 1e9 * mean_length(rhythm) / rhythm->rate;
}

size_t rhythm_next_length(struct rhythm *rhythm)
{
	return 1 + (size_t)(erand48(rhythm->state) * (2 * mean_length(rhythm) - 1));
}

uint64_t rhythm_next_pause(struct rhythm *rhythm, uint64_t taken)
{
	rhythm->busy += (double)taken;
	rhythm->batches++;
	double mean = fmax(aim(rhythm) - mean_taken(rhythm), mean_taken(rhythm));
	return (uint64_t)(-log1p(-erand48(rhythm->state)) * mean);
}

bool rhythm_is_behind(const struct rhythm *rhythm)
{
	return 2 * mean_taken(rhythm) > aim(rhythm);
}
