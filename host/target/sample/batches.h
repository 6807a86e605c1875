/* SPDX-License-Identifier: MIT */
/*
 * What batches of reads found: reads by address, and how far those of one batch go together. Knows nothing of probes
 * and captures.
 *
 * Reads of one batch are not independent: a batch is a cluster, in the language of sampling surveys, and of each
 * function the share of the reads is a ratio of two sums over clusters. Its variance comes from how batches differ
 * (Cochran, "Sampling Techniques", 3rd edition 1977, sections 6.4 and 9A.3); divided by that of as many independent
 * reads it is the design effect (Kish, "Survey Sampling", 1965, section 8.2): how many reads are worth one independent
 * sample.
 */
#ifndef TARGET_SAMPLE_BATCHES_H
#define TARGET_SAMPLE_BATCHES_H

#include "firmware/image.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct batches_place {
	uint32_t address; /* without the Thumb bit; BAREPROF_PC_UNAVAILABLE: no code */
	uint64_t reads;
};

/* A function, the recorder with all of its own, code of no function (which may be several rows of a report, so that
 * errors come out too large), or none. */
struct batches_owner {
	double in_batch;         /* reads of the batch at hand */
	double reads;            /* of all batches */
	double batches;          /* in which it was found */
	double squares, crosses; /* sums over batches: its reads squared, and times those of the batch */
};

struct batches {
	const struct image *image;
	struct batches_place *places; /* sorted by address */
	size_t place_count;
	struct batches_owner *owners; /* of the image's functions, then those that are none */
	uint64_t reads, batches, unavailable;
	double squares;       /* of the lengths of batches */
	uint64_t nanoseconds; /* from the first batch to behind the pause after the last */
};

/* False when memory runs out. The image must outlive it. Freed by batches_free() in any case. */
bool batches_begin(struct batches *batches, const struct image *image);
void batches_free(struct batches *batches);

/* Adds a batch of values of DWT_PCSR; false when memory runs out. */
bool batches_add(struct batches *batches, const uint32_t *words, size_t count);

/* Whether there are enough batches to tell how far they differ. */
bool batches_are_enough(const struct batches *batches);

/*
 * How many reads are worth one independent sample, at least 1: the largest design effect of all owners that enough
 * batches have found, so that no error is told smaller than it is; those that fewer have found count as one, with the
 * mean of theirs. Where batches are too few to tell, it is that of batches of which each is within one function. At
 * least one read must have been added.
 */
double batches_design_effect(const struct batches *batches);

/* Of all reads, of the owner that has the most of them; at least one must have been added. */
double batches_largest_share(const struct batches *batches);

#endif
