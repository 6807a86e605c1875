/* SPDX-License-Identifier: MIT */
/* Successive captures of a running target, over one connection for as long as it lasts. */
#ifndef ACQUIRE_PULL_WATCH_H
#define ACQUIRE_PULL_WATCH_H

#include "acquire/pull/pull.h"

struct watch_options {
	struct pull_options pull; /* output_path is the pattern of numbered_name(); stop is not set */
	unsigned milliseconds;    /* time between two captures */
	uint32_t count;           /* number of captures; 0: until a signal */
	void *context;            /* argument of the functions below */
	void (*taken)(void *context, const char *path, const struct pull_summary *summary);
	void (*failed)(void *context, const char *message); /* a capture failed; the next one is tried */
};

struct watch_summary {
	uint32_t taken, failed; /* captures */
	const char *remains;    /* state that the target is left in, for the user; NULL: unchanged */
};

/* Failed reads in a row that end a watch. */
#define WATCH_FAILURES_MAX 5

/* The name with number in place of "%d". Without "%d", the number follows a dash before the suffix: run.bprof becomes
 * run-0007.bprof. The caller frees it; NULL: out of memory. */
char *numbered_name(const char *name, uint32_t number);

/* Takes captures until there are options->count, or until a signal arrives after the first one; both are success. No
 * existing file is overwritten. A failure before the first read, a file that cannot be written, or WATCH_FAILURES_MAX
 * failed reads in a row end it; captures already taken stay. */
enum status watch_run(const struct watch_options *options, struct watch_summary *summary, struct error *error);

#endif
