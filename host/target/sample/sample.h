/* SPDX-License-Identifier: MIT */
/* Samples taken through a debug probe from a firmware that needs nothing of bareprof, into a file. Prints nothing. */
#ifndef TARGET_SAMPLE_SAMPLE_H
#define TARGET_SAMPLE_SAMPLE_H

#include "base/status.h"
#include "target/backend/target.h"
#include "target/pull/identity.h"
#include "target/sample/sampling.h"

#include <stdbool.h>
#include <stdint.h>

struct sample_options {
	const struct source *source; /* whose backend reads registers */
	const char *elf_path;
	const char *output_path; /* "-" is standard output */
	unsigned milliseconds;
	unsigned rate;                    /* reads per second, not 0; see sample/rhythm.h */
	bool force;                       /* sample another build, too */
	const struct target_setup *setup; /* but cancel, which is sample's own; NULL = TARGET_SETUP_DEFAULT */
	sampling_progress *told;          /* of how far it is; NULL: nobody is */
	void *context;
};

struct sample_summary {
	uint64_t reads; /* 0: nothing was taken */
	uint64_t batches;
	uint64_t unavailable; /* reads that found the core asleep or unavailable */
	uint64_t samples;     /* independent ones that the reads are worth; 0: too few batches to tell */
	double largest_share; /* of a function */
	double seconds;
	struct sampling_end end;
	enum identity_verdict identity;
};

/* Takes the capture. On failure no output file is left. SIGINT, SIGTERM and SIGHUP end the sampling, and what came
 * until then is kept; before that, they are a failure. */
enum status sample_run(const struct sample_options *options, struct sample_summary *summary, struct error *error);

#endif
