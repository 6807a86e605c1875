/* SPDX-License-Identifier: MIT */
/*
 * When to read: batches of random length with random pauses between them, so that no program runs in step with them.
 * Where pauses are distributed exponentially, the beginnings of batches are as good as independent moments, whatever
 * the program does meanwhile, and however periodically. Knows nothing of what is read.
 */
#ifndef TARGET_SAMPLE_RHYTHM_H
#define TARGET_SAMPLE_RHYTHM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Reads of a batch, at most and on average. */
#define RHYTHM_BATCH_MAX  31u
#define RHYTHM_BATCH_MEAN 16u

struct rhythm {
	unsigned short state[3]; /* of erand48() */
	double rate;             /* reads per second to aim at */
	double busy;             /* nanoseconds that all batches took so far */
	double batches;
};

/* rate: reads per second to aim at, not 0. */
void rhythm_begin(struct rhythm *rhythm, unsigned rate, uint64_t seed);

/* Of the next batch: each number is as likely up to twice the mean but one. Reads a few microseconds apart mostly find
 * the same function, so that separate ones tell more; the mean is no larger than the rate needs. */
size_t rhythm_next_length(struct rhythm *rhythm);

/* The pause behind a batch that took so many nanoseconds. On average pauses are no shorter than batches, so that
 * there is always chance in the rhythm: at a rate that the probe cannot keep up with, half of what it can is done. */
uint64_t rhythm_next_pause(struct rhythm *rhythm, uint64_t taken);

/* Whether the probe cannot keep up with the rate, by what batches took so far. */
bool rhythm_is_behind(const struct rhythm *rhythm);

#endif
