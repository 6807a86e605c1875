/* SPDX-License-Identifier: MIT */
/* See soft.h. */
#include "soft.h"

#define SERIES     12u
#define POINTS     24u
#define ELEMENTS   40u
#define DEPTH_MAX  6u
#define ROUND_SIZE 3u

volatile uint32_t sink;

/* Numerical Recipes, 7.1. */
uint32_t soft_next(void)
{
	static uint32_t state = 1;

	return state = state * 1664525u + 1013904223u;
}

static double series(double x)
{
	double sum = 0;

	for (uint32_t i = 1; i <= SERIES; i++)
		sum = sum * x + 1.0 / (double)i;
	return sum;
}

static double area(double (*function)(double), double from, double to)
{
	const double width = (to - from) / POINTS;
	double sum = 0;

	for (uint32_t i = 0; i < POINTS; i++)
		sum += function(from + width * (double)i) * width;
	return sum;
}

static float blend(float left, float right)
{
	return left * 0.75f + right / 4.0f;
}

static uint64_t digits(uint64_t value)
{
	uint64_t sum = 0;

	for (; value != 0; value /= 10u)
		sum = sum * 16u + value % 10u;
	return sum;
}

/* A frame whose size depends on its argument. */
static uint32_t middle_of(uint32_t count)
{
	uint32_t values[count];

	for (uint32_t i = 0; i < count; i++) {
		uint32_t value = soft_next() >> 8, k = i;

		for (; k > 0 && values[k - 1] > value; k--)
			values[k] = values[k - 1];
		values[k] = value;
	}
	return values[count / 2];
}

static uint32_t descend(uint32_t depth)
{
	if (depth == 0)
		return middle_of(ELEMENTS / 2 + soft_next() % ELEMENTS);
	uint32_t own[depth];

	own[depth - 1] = descend(depth - 1) / (depth + 1);
	return own[depth - 1] + (uint32_t)digits(own[depth - 1]);
}

void soft_round(void)
{
	for (uint32_t i = 0; i < ROUND_SIZE; i++) {
		const double x = (double)(soft_next() % 1000u) / 1000.0;

		sink += (uint32_t)(area(series, 0, x) * 1000.0);
		sink += (uint32_t)blend((float)x, (float)i);
		sink += descend(soft_next() % DEPTH_MAX);
		sink += (uint32_t)digits((uint64_t)soft_next() << 32 | soft_next());
	}
}
