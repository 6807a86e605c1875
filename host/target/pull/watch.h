/* SPDX-License-Identifier: MIT */
/* Captures that are taken of a running target one after the other, by one connection as long as it
 * holds. Prints nothing. */
#ifndef TARGET_PULL_WATCH_H
#define TARGET_PULL_WATCH_H

#include "target/pull/pull.h"

struct watch_options {
	struct pull_options pull; /* output_path is the pattern of numbered_name(); nothing asks for a stop */
	unsigned milliseconds;    /* that the target runs between two captures */
	uint32_t count;           /* after so many it ends; 0 = at a signal */
	void *context;            /* of these: */
	void (*taken)(void *context, const char *path, const struct pull_summary *summary);
	void (*failed)(void *context, const char *message); /* a capture that was not taken; the next one is tried */
};

struct watch_summary {
	uint32_t taken, failed; /* captures */
	const char *remains;    /* what was begun in the target and not ended, for the user; NULL = nothing */
};

/* Reads in a row. */
#define WATCH_FAILURES_MAX 5

/*
 * Takes captures, no one over a file that is there, until there are as many as was asked for or, once there is one, a
 * signal as of pull_run() comes: both are success. What fails before the first read ends it, as does a file that cannot
 * be written, or WATCH_FAILURES_MAX reads in a row that failed. The captures that were taken stay.
 */
enum status watch_run(const struct watch_options *options, struct watch_summary *summary, struct error *error);

#endif
