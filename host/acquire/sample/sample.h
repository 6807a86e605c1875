/* SPDX-License-Identifier: MIT */
/* Sampling a firmware through a debug probe into a file; the firmware needs no part of bareprof. */
#ifndef ACQUIRE_SAMPLE_SAMPLE_H
#define ACQUIRE_SAMPLE_SAMPLE_H

#include "acquire/pull/pull.h"
#include "acquire/sample/sampling.h"
#include "acquire/target/target.h"
#include "base/status.h"

#include <stdbool.h>
#include <stdint.h>

struct sample_options {
	struct pull_options
	        pull; /* files, force, setup, and source, whose backend must read registers; the rest is zero */
	unsigned milliseconds;
	unsigned rate;               /* reads per second to aim at, not 0 */
	bool halt;                   /* the core may be halted for each read, as RISC-V needs */
	uint32_t stack_bytes;        /* with halt: bytes of stack to copy at each read; 0: none */
	sampling_progress *progress; /* receives progress; NULL: no callback */
	void *context;
};

struct sample_summary {
	uint64_t reads; /* 0: nothing was sampled */
	uint64_t batches;
	uint64_t unavailable; /* reads that found the core asleep or unavailable */
	uint64_t samples;     /* independent samples that the reads are worth; 0: too few batches to know */
	double largest_share; /* largest share of any function */
	uint64_t stacks;      /* stacks that were kept */
	double seconds;
	struct sampling_end end;
	enum identity_verdict identity;
};

/* Takes the capture. On failure no output file is left. SIGINT, SIGTERM and SIGHUP end the sampling and keep the
 * samples taken so far; before the first sample they are a failure. */
enum status sample_run(const struct sample_options *options, struct sample_summary *summary, struct error *error);

#endif
