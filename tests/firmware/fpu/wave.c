/* SPDX-License-Identifier: MIT */
/*
 * The work in thread mode. Each stage keeps values in FPU registers throughout its loop, so interrupts find them there.
 */
#include "wave.h"

static float wave[WAVE_CAPACITY];
static uint32_t size;

/* A rotating pointer's real part: no sine is needed. */
static void wave_fill(uint32_t seed)
{
	float real = 1.0f;
	float imaginary = 0.0f;
	const float step = 0.05f + 0.001f * (float)(seed % WAVE_SEEDS);

	for (uint32_t i = 0; i < size; i++) {
		wave[i] = real;
		real -= step * imaginary;
		imaginary += step * real;
	}
}

static void wave_window(void)
{
	const float middle = (float)(size - 1u) / 2.0f;

	for (uint32_t i = 0; i < size; i++) {
		const float distance = ((float)i - middle) / middle;

		wave[i] *= 1.0f - distance * distance;
	}
}

/* Two poles, one after the other. */
static void wave_smooth(void)
{
	float first = 0.0f;
	float second = 0.0f;

	for (uint32_t i = 0; i < size; i++) {
		first += 0.3f * (wave[i] - first);
		second += 0.2f * (first - second);
		wave[i] = second;
	}
}

static float wave_energy(void)
{
	float energy = 0.0f;

	for (uint32_t i = 0; i < size; i++)
		energy += wave[i] * wave[i];
	return energy;
}

/* Newton's iteration from above, which converges for any number that is not negative. */
static float square_root(float number)
{
	float root = 0.5f * (number + 1.0f);

	for (uint32_t i = 0; i < 24u; i++)
		root = 0.5f * (root + number / root);
	return root;
}

static void wave_normalise(float magnitude)
{
	for (uint32_t i = 0; i < size; i++)
		wave[i] /= magnitude;
}

/* A polynomial of degree 5 that bends large values. */
static void wave_bend(void)
{
	for (uint32_t i = 0; i < size; i++) {
		const float value = wave[i];
		const float square = value * value;

		wave[i] = value * (1.0f - square * (0.1666667f - square * 0.0083333f));
	}
}

static float wave_correlate(uint32_t lag)
{
	float sum = 0.0f;

	for (uint32_t i = 0; i + lag < size; i++)
		sum += wave[i] * wave[i + lag];
	return sum;
}

static uint32_t bits_of(float number)
{
	union {
		float number;
		uint32_t bits;
	} both = {number};

	return both.bits;
}

static uint32_t wave_bits(void)
{
	uint32_t sum = 0;

	for (uint32_t i = 0; i < size; i++)
		sum = sum * 31u + bits_of(wave[i]);
	return sum;
}

uint32_t wave_pass(uint32_t seed)
{
	size = WAVE_CAPACITY - 5u * (seed % WAVE_SEEDS);
	wave_fill(seed);
	wave_window();
	wave_smooth();
	wave_normalise(square_root(wave_energy()));
	wave_bend();
	return wave_bits() + bits_of(wave_correlate(1u)) + bits_of(wave_correlate(7u));
}
