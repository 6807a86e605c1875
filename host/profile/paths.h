/* SPDX-License-Identifier: MIT */
/* The call paths of a profile, measured or estimated. */
#ifndef PROFILE_PATHS_H
#define PROFILE_PATHS_H

#include "profile/profile.h"

/* A call path: functions that call each other, and what was sampled in the last of them. */
struct profile_path {
	const size_t *nodes; /* outermost first; PROFILE_NONE at the front: callers of a path that is too deep */
	size_t depth;
	uint64_t address; /* start of the sampled code, which has one line; 0: unknown, or not requested */
	uint64_t samples;
	double time; /* in the profile's time unit */
};

typedef enum status analysis_path_found(void *context, const struct profile_path *path, struct error *error);

/*
 * Calls found() for each path of a measured profile, or for each path that gprof's propagation implies
 * (stacks/stacks.h), until it fails. The paths that end in a function add up to the function's samples, rounded, and to
 * its self time. A path begins with a function that nothing calls, or with another kind of node: an exception, a task
 * entry, or unknown callers. Paths with the same beginning follow each other. Needs the propagation.
 */
enum status analysis_each_path(const struct profile *profile, analysis_path_found *found, void *context,
                               struct error *error);

/* Like analysis_each_path(), with the paths that end in a function divided among its sampled code. Order: by path, then
 * by code. Needs the lines. */
enum status analysis_each_code_path(const struct profile *profile, analysis_path_found *found, void *context,
                                    struct error *error);

#endif
