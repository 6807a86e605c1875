/* SPDX-License-Identifier: MIT */
/*
 * Floating-point work on a wave of samples for thread mode, and a tracker that follows a phase for the interrupt. On a
 * core without FPU the compiler's library does it.
 */
#ifndef FIRMWARE_FPU_WAVE_H
#define FIRMWARE_FPU_WAVE_H

#include <stdint.h>

#define WAVE_CAPACITY 64u
#define WAVE_SEEDS    8u

/* One pass over a wave whose form and size depend on nothing but the seed, below WAVE_SEEDS. Returns a sum of its bits.
 */
uint32_t wave_pass(uint32_t seed);

struct tracker {
	float phase;
	float rate;
	float energy;
};

/* The next state: depends on nothing but the last one. */
void tracker_step(struct tracker *tracker);

#endif
