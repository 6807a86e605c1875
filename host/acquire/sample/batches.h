/* SPDX-License-Identifier: MIT */
/* Statistics of batches of reads: reads per address, and how strongly reads of one batch are correlated. Reads of one
 * batch are not independent: in the language of sampling surveys a batch is a cluster, and a function's share of the
 * reads is a ratio of two sums over clusters. Its variance comes from the differences between batches (Cochran,
 * "Sampling Techniques", 3rd edition 1977, sections 6.4 and 9A.3). Divided by the variance of as many independent
 * reads, this is the design effect (Kish, "Survey Sampling", 1965, section 8.2): how many reads are worth one
 * independent sample. */
#ifndef ACQUIRE_SAMPLE_BATCHES_H
#define ACQUIRE_SAMPLE_BATCHES_H

#include "firmware/image.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct batches_place {
	uint64_t address; /* without the Thumb bit; BAREPROF_PC_UNAVAILABLE: no code */
	uint64_t reads;
};

/* The owner of reads: a function, the whole recorder, code of no function, or no code. Code of no function may be
 * several rows of a report, so its error comes out too large. */
struct batches_owner {
	double in_batch;         /* reads of the current batch */
	double reads;            /* reads of all batches */
	double batches;          /* batches in which the owner occurs */
	double squares, crosses; /* sums over batches: the owner's reads squared, and multiplied by the batch's reads */
};

struct batches {
	const struct image *image;
	struct batches_place *places; /* sorted by address */
	size_t place_count;
	struct batches_owner *owners; /* owners of the image's functions, then OWNER_* of batches.c */
	uint64_t reads, batches, unavailable;
	double squares;       /* sum of the squared lengths of batches */
	uint64_t nanoseconds; /* from the start of the first batch to the end of the last pause */
};

/* False when out of memory. The image must outlive it. Freed by batches_free() in any case. */
bool batches_begin(struct batches *batches, const struct image *image);
void batches_free(struct batches *batches);

/* Adds a batch of values of DWT_PCSR; false when out of memory. */
bool batches_add(struct batches *batches, const uint32_t *words, size_t count);

/* Whether there are enough batches to estimate how much they differ. */
bool batches_are_enough(const struct batches *batches);

/* The number of reads that are worth one independent sample, at least 1: the largest design effect of all owners that
 * occur in enough batches, so that no error is understated. Owners in fewer batches count together as one owner, with
 * the mean of their effects. If there are too few batches, each batch is assumed to hit a single function. At least one
 * read must have been added. */
double batches_design_effect(const struct batches *batches);

/* The largest share of the reads of any owner; at least one read must have been added. */
double batches_largest_share(const struct batches *batches);

#endif
