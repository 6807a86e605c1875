/* SPDX-License-Identifier: MIT */
/* The contexts of a profile, and its parts by context and core. */
#ifndef PROFILE_SPLIT_H
#define PROFILE_SPLIT_H

#include "profile/analysis.h"

/* The time and calls of one context. */
struct profile_context {
	uint32_t number;  /* CAPTURE_NO_CONTEXT: samples and calls without a context */
	const char *name; /* "" if it has none; escape before printing */
	bool is_rest;     /* as for a part */
	double samples, time, recorder_time;
	uint64_t calls;
	size_t max_called; /* as for a part */
	uint64_t max_calls;
	uint64_t switches; /* as for a part */
};

/* The part of a profile that belongs to one core, to one context, or to one context on one core. */
struct profile_part {
	bool of_core, of_context;
	unsigned core;
	uint32_t number;   /* the context's number; CAPTURE_NO_CONTEXT: samples and calls without one */
	const char *name;  /* name of the context, "" if it has none; escape before printing */
	bool is_rest;      /* all contexts without a part of their own; it has no number, and sorts last but
	                      one, before CAPTURE_NO_CONTEXT */
	uint64_t switches; /* to the context; CAPTURE_UNKNOWN: not counted in all captures, or not a single context */
	size_t max_called; /* the node with the most recorded calls, if max_calls is not 0 */
	uint64_t max_calls;
	/* With its own times, calls and cycles. Its first nodes are those of the whole profile; it has no losses and no
	 * parts. */
	struct profile *profile;
	struct capture **captures; /* captures of the part, owned here */
	size_t capture_count;
};

/* Flags: a part per context, per core, or per context on each core. */
enum { ANALYSIS_BY_CONTEXT = 1, ANALYSIS_BY_CORE = 2 };

/*
 * Adds parts to a finished profile, one for each context (or core) that has samples or calls: the passes run again
 * over the captures of each part. Contexts differ by number or name; of more than 256, those with the fewest samples
 * and calls become one part, the rest.
 */
enum status analysis_split(struct profile *profile, unsigned by, const struct analysis_options *options,
                           struct error *error);

#endif
