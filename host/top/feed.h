/* SPDX-License-Identifier: MIT */
/* A thread that takes captures of a target, so that the screen answers keys while a slow probe is read. */
#ifndef TOP_FEED_H
#define TOP_FEED_H

#include "acquire/pull/pull.h"
#include "base/status.h"
#include "capture/capture.h"

#include <stdbool.h>
#include <stdint.h>

struct feed;

struct feed_options {
	struct pull_options pull; /* its observer and its output are not used */
	unsigned milliseconds;    /* between two captures */
	bool prints_traces;       /* print transfers to standard error */
};

/* The state of the feed, and the capture since the last call of feed_collect(). Times are from clock_now(). */
struct feed_news {
	struct capture *capture; /* the latest, owned by the caller; NULL: none */
	uint64_t taken;          /* time of the capture */
	unsigned reloads;        /* how often the ELF had been read again before this capture */
	bool is_over;            /* the first capture failed, for the reason in failure */
	bool is_failing;         /* the last attempt failed */
	struct error failure;
	uint64_t failing_since, next_try;
	unsigned failures;        /* since the start */
	struct error elf_problem; /* see follow_elf_problem() */
	uint64_t done, total;     /* bytes of the current read; total 0: none */
};

/* Opens the ELF and starts the thread, which blocks all signals. options must outlive it. */
enum status feed_open(const struct feed_options *options, struct feed **feed, struct error *error);
/* Readable when there is news. */
int feed_descriptor(const struct feed *feed);
void feed_collect(struct feed *feed, struct feed_news *news);
/* Ends the thread and disconnects. left is passed to follow_close(). feed may be NULL. */
void feed_close(struct feed *feed, struct error *left);

#endif
