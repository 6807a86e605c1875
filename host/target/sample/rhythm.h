/* SPDX-License-Identifier: MIT */
/* The schedule of reads: batches of random length with random pauses, so that no program can run in step with them.
 * With exponentially distributed pauses, the starts of batches are as good as independent moments, even for periodic
 * programs. */
#ifndef TARGET_SAMPLE_RHYTHM_H
#define TARGET_SAMPLE_RHYTHM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Reads of a batch: maximum and mean. */
#define RHYTHM_BATCH_MAX  31u
#define RHYTHM_BATCH_MEAN 16u

struct rhythm {
	unsigned short state[3]; /* of erand48() */
	double rate;             /* reads per second to aim at */
	double busy;             /* total duration of all batches in nanoseconds */
	double batches;
};

/* rate: reads per second to aim at, not 0. */
void rhythm_begin(struct rhythm *rhythm, unsigned rate, uint64_t seed);

/* The length of the next batch, uniformly distributed from 1 to twice the mean minus 1. Reads a few microseconds apart
 * mostly hit the same function, so separate ones are worth more: the mean is no larger than the rate requires. */
size_t rhythm_next_length(struct rhythm *rhythm);

/* The pause, in nanoseconds, after a batch that took this long. Pauses are on average no shorter than batches, so that
 * the schedule stays random: if the probe cannot keep up with the rate, it is busy half of the time. */
uint64_t rhythm_next_pause(struct rhythm *rhythm, uint64_t taken);

/* Whether the probe cannot keep up with the rate, judged by the batches so far. */
bool rhythm_is_behind(const struct rhythm *rhythm);

#endif
