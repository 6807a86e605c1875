/* SPDX-License-Identifier: MIT */
/* The work in the interrupt, which overwrites the FPU registers of the interrupted code. */
#include "wave.h"

/* Without an FPU each takes some fifty times longer, and has to end before the next interrupt. */
#ifdef __ARM_FP
#define STEPS 40u
#else
#define STEPS 1u
#endif

static float turn(float phase)
{
	while (phase > 1.0f)
		phase -= 2.0f;
	return phase;
}

/* A parabola in place of a sine. */
static float detect(float phase)
{
	return 4.0f * phase * (1.0f - (phase < 0.0f ? -phase : phase));
}

static float adapt(float rate, float error)
{
	float adapted = rate;

	for (uint32_t i = 0; i < 8u; i++)
		adapted += 0.01f * (0.7f - adapted) - 0.002f * error * adapted;
	return adapted;
}

void tracker_step(struct tracker *tracker)
{
	for (uint32_t i = 0; i < STEPS; i++) {
		const float error = detect(tracker->phase);

		tracker->rate = adapt(tracker->rate, error);
		tracker->phase = turn(tracker->phase + tracker->rate);
		tracker->energy += 0.01f * (error * error - tracker->energy);
	}
}
