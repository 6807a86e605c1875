/* SPDX-License-Identifier: MIT */
/* Encoding of batches of reads as a capture that all commands accept like any other. */
#ifndef ACQUIRE_SAMPLE_FILING_H
#define ACQUIRE_SAMPLE_FILING_H

#include "acquire/sample/batches.h"
#include "acquire/sample/stack_copies.h"
#include "base/status.h"
#include "capture/capture.h"

#include <stdbool.h>
#include <stdint.h>

struct filing {
	const char *source;
	int64_t time;
	bool is_same_build; /* the target has the same build as the image */
	bool has_code_crc;
	uint32_t code_crc;
	uint64_t seed;               /* seed of random choices */
	struct stack_copies *stacks; /* NULL: none were copied */
};

/* The number of independent samples that all reads are worth. */
uint64_t filing_samples(const struct batches *batches);

/* Encodes the capture; the caller frees *file. It has as many samples as the reads are worth, so that statistics of
 * counts apply: reads are sorted by address, and every n-th is kept from a random start (systematic sampling). So each
 * function keeps its share, within one sample. */
enum status filing_encode(const struct batches *batches, const struct filing *filing, uint8_t **file, size_t *size,
                          struct error *error);

#endif
