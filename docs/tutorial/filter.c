/* SPDX-License-Identifier: MIT */
/* A low-pass filter: the weighted mean of the last 32 values of a channel. */
#include "station.h"

#define TAPS 32u

/* They add up to 4096. */
static const int16_t weights[TAPS] = {1,   4,   9,   18,  30,  47,  68,  93,  121, 150, 181, 211, 238, 261, 279, 337,
                                      337, 279, 261, 238, 211, 181, 150, 121, 93,  68,  47,  30,  18,  9,   4,   1};

int32_t filter_smooth(unsigned channel, int32_t value)
{
	static int32_t history[CHANNELS][TAPS];
	static unsigned newest[CHANNELS];
	int32_t sum = 0;

	newest[channel] = (newest[channel] + 1) % TAPS;
	history[channel][newest[channel]] = value;
	for (unsigned tap = 0; tap < TAPS; tap++)
		sum += weights[tap] * history[channel][(newest[channel] - tap) % TAPS];
	return sum / 4096;
}
