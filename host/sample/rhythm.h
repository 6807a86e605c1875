/* SPDX-License-Identifier: MIT */
/*
 * When to read: batches of random length with random pauses between them, so that no program runs in step with them.
 * Where pauses are distributed exponentially, the beginnings of batches are as good as independent moments, whatever
 * the program does meanwhile, and however periodically. Knows nothing of what is read.
 */
#ifndef SAMPLE_RHYTHM_H
#define SAMPLE_RHYTHM_H

#include <stddef.h>
#include <stdint.h>

/* Reads of a batch: each number up to the most is as likely. Reads a few microseconds apart mostly find the same
 * function, so long batches cost time and tell little; but a batch takes a probe hardly longer than a read does. */
#define RHYTHM_BATCH_MOST 31u
#define RHYTHM_BATCH_MEAN 16u

struct rhythm {
	unsigned short state[3]; /* of erand48() */
	double aim;              /* nanoseconds from the beginning of a batch to the next one, on average */
	double busy;             /* what all batches took so far */
	double batches;
};

/* rate: reads per second to aim at, not 0. */
void rhythm_begin(struct rhythm *rhythm, unsigned rate, uint64_t seed);
size_t rhythm_next_length(struct rhythm *rhythm);
/* The pause behind a batch that took so many nanoseconds. On average pauses are no shorter than batches, so that
 * there is always chance in the rhythm: at a rate that the probe cannot keep up with, half of what it can is done. */
uint64_t rhythm_next_pause(struct rhythm *rhythm, uint64_t taken);

#endif
