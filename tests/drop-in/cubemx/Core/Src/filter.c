/* SPDX-License-Identifier: MIT */
#include "main.h"

#define TAPS 16

static float coefficients[TAPS];
static float history[TAPS];

void filter_init(void)
{
	for (uint32_t i = 0; i < TAPS; i++)
		coefficients[i] = 1.0f / (float)(i + 2);
}

static float filter_sample(float sample)
{
	float sum = 0;

	for (uint32_t i = TAPS - 1; i > 0; i--)
		history[i] = history[i - 1];
	history[0] = sample;
	for (uint32_t i = 0; i < TAPS; i++)
		sum += coefficients[i] * history[i];
	return sum;
}

float filter_block(const int16_t *samples, uint32_t count)
{
	float sum = 0;

	for (uint32_t i = 0; i < count; i++)
		sum += filter_sample(samples[i]);
	return sum;
}

static void insert_sample(int16_t *samples, uint32_t place)
{
	const int16_t sample = samples[place];

	while (place > 0 && samples[place - 1] > sample) {
		samples[place] = samples[place - 1];
		place--;
	}
	samples[place] = sample;
}

void sort_samples(int16_t *samples, uint32_t count)
{
	for (uint32_t i = 1; i < count; i++)
		insert_sample(samples, i);
}
