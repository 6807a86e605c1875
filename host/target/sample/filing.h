/* SPDX-License-Identifier: MIT */
/* Batches of reads as a capture, which every command reads as it reads others. Knows nothing of targets. */
#ifndef TARGET_SAMPLE_FILING_H
#define TARGET_SAMPLE_FILING_H

#include "base/status.h"
#include "capture/capture.h"
#include "target/sample/batches.h"

#include <stdbool.h>
#include <stdint.h>

struct filing {
	const char *source;
	int64_t time;
	bool is_same_build; /* as the image */
	bool has_code_hash;
	uint32_t code_hash;
	uint64_t seed; /* of what is left to chance */
};

/* How many independent samples all reads are worth. */
uint64_t filing_samples(const struct batches *batches);

/*
 * The bytes of the capture: *file is the caller's. Its samples are as many as the reads are worth, so that statistics
 * of counts hold for them: in the order of addresses each one in so many reads is filed, the first by chance. So a
 * function has the share of its reads, within one sample.
 */
enum status filing_encode(const struct batches *batches, const struct filing *filing, uint8_t **file, size_t *size,
                          struct error *error);

#endif
