/* SPDX-License-Identifier: MIT */
/* The reading of samples out of a target, which runs on meanwhile. Knows nothing of files. */
#ifndef TARGET_SAMPLE_SAMPLING_H
#define TARGET_SAMPLE_SAMPLING_H

#include "base/status.h"
#include "target/backend/target.h"
#include "target/sample/batches.h"
#include "target/sample/stopwatch.h"

#include <stdbool.h>
#include <stdint.h>

/* So many nanoseconds are left, and so many reads were made. */
typedef void sampling_progress(void *context, uint64_t left, uint64_t reads);

struct sampling_plan {
	uint64_t nanoseconds; /* how long; one batch is read at least */
	unsigned rate;        /* reads per second, not 0; see rhythm.h */
	uint64_t seed;        /* of what is left to chance */
	int cancel;           /* descriptor: once it can be read from, that was all; -1 = none */
	const struct stopwatch *stopwatch;
	sampling_progress *told; /* behind each batch; NULL: nobody is */
	void *context;
};

struct sampling_end {
	bool is_cut_short; /* it was cancelled */
	bool is_behind;    /* the probe could not keep up with the rate */
};

/* Reads samples and adds them to batches, which was begun. The core's trace part is left as it was found, also after a
 * failure. */
enum status sampling_run(struct target *target, const struct sampling_plan *plan, struct batches *batches,
                         struct sampling_end *end, struct error *error);

#endif
