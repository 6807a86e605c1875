/* SPDX-License-Identifier: MIT */
/* Reading samples from a running target. */
#ifndef ACQUIRE_SAMPLE_SAMPLING_H
#define ACQUIRE_SAMPLE_SAMPLING_H

#include "acquire/sample/batches.h"
#include "acquire/sample/sampler.h"
#include "acquire/target/target.h"
#include "base/clock.h"
#include "base/status.h"

#include <stdbool.h>
#include <stdint.h>

/* Reports the nanoseconds left and the reads made. */
typedef void sampling_progress(void *context, uint64_t left, uint64_t reads);

struct sampling_plan {
	const struct sampler *sampler;
	uint64_t nanoseconds;        /* duration; at least one batch is read */
	unsigned rate;               /* reads per second to aim at, not 0 */
	uint64_t seed;               /* seed of the random lengths and pauses */
	struct stack_copies *stacks; /* receives the stack of each sample; NULL: none are copied */
	int cancel;                  /* descriptor that ends sampling once readable; -1: none */
	const struct clock *clock;
	sampling_progress *progress; /* called after each batch; NULL: no callback */
	void *context;
};

struct sampling_end {
	bool is_cut_short; /* sampling was cancelled */
	bool is_behind;    /* the probe could not keep up with the rate */
	/* Upper limits of the nanoseconds that the core was halted: in total, and at a time. Measured from before the
	 * request to halt until after the acknowledgement that it runs. */
	uint64_t halted, longest_halt;
};

/* Reads samples and adds them to batches, which must be initialized. Restores the core, also after a failure. */
enum status sampling_run(struct target *target, const struct sampling_plan *plan, struct batches *batches,
                         struct sampling_end *end, struct error *error);

#endif
