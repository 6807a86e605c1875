/* SPDX-License-Identifier: MIT */
/* The calls of a measured profile, as readers of callgrind's format add them up. Private to report/. */
#ifndef REPORT_CALLGRIND_CALLS_H
#define REPORT_CALLGRIND_CALLS_H

#include "profile/profile.h"

/* Calls of one function by another at one place. */
struct callgrind_call {
	size_t caller, callee; /* nodes */
	uint64_t address;      /* inside the call instruction; 0: unknown */
	uint64_t count;        /* 0: unknown, because the calls are known only from stacks */
	double time;
};

/*
 * Lists the calls by caller, then callee, then address; the profile must have call sites. The self time of a function
 * and the times of its calls add up to its total time, also if it is recursive: the time of a stack belongs to the
 * innermost call by each function on it, except the sampled function. False when out of memory; the caller frees
 * *calls.
 */
bool callgrind_find_calls(const struct profile *profile, struct callgrind_call **calls, size_t *count);

#endif
