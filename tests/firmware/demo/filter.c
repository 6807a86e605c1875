/* SPDX-License-Identifier: MIT */
/* A cascade of biquads and a symmetric FIR in fixed point. */
#include "filter.h"

#include "count.h"

#define BIQUADS 2
#define TAPS    15

/* Coefficients in Q14, normalised to a0 = 1: y = b0 x + b1 x' + b2 x'' - a1 y' - a2 y''. */
struct biquad {
	int16_t b0, b1, b2, a1, a2;
};

/* A Butterworth low-pass of fourth order at a tenth of the sampling rate, as two sections. */
static const struct biquad low_pass[BIQUADS] = {
        {1014, 2028, 1014, -17180, 4852},
        {1277, 2554, 1277, -21642, 10367},
};

/* A Hann window whose taps add up to 1.0 in Q15. */
static const int16_t smoother[TAPS] = {156,  600,  1264, 2048, 2832, 3496, 3940, 4096,
                                       3940, 3496, 2832, 2048, 1264, 600,  156};

static inline int16_t clip(int32_t value)
{
	if (value > INT16_MAX)
		return INT16_MAX;
	return value < INT16_MIN ? INT16_MIN : (int16_t)value;
}

static void biquad_run(const struct biquad *section, int16_t values[FILTER_WINDOW])
{
	int32_t x1 = values[0], x2 = x1;
	int32_t y1 = x1, y2 = x1;

	COUNT(biquad_run);
	for (size_t i = 0; i < FILTER_WINDOW; i++) {
		int32_t x = values[i];
		int32_t sum =
		        section->b0 * x + section->b1 * x1 + section->b2 * x2 - section->a1 * y1 - section->a2 * y2;

		x2 = x1;
		x1 = x;
		y2 = y1;
		y1 = clip((sum + (1 << 13)) >> 14);
		values[i] = (int16_t)y1;
	}
}

/* The smoothed value replaces the first of TAPS values. */
static void fir_step(int16_t *values)
{
	int32_t sum = 1 << 14;

	COUNT(fir_step);
	for (int tap = 0; tap < TAPS; tap++)
		sum += smoother[tap] * values[tap];
	values[0] = clip(sum >> 15);
}

void filter_window(int16_t values[FILTER_WINDOW])
{
	COUNT(filter_window);
	for (unsigned section = 0; section < BIQUADS; section++)
		biquad_run(&low_pass[section], values);
	for (size_t i = 0; i + TAPS <= FILTER_WINDOW; i++)
		fir_step(&values[i]);
}
