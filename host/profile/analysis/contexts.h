/* SPDX-License-Identifier: MIT */
/* The contexts that captures have samples, calls or switches of. */
#ifndef PROFILE_ANALYSIS_CONTEXTS_H
#define PROFILE_ANALYSIS_CONTEXTS_H

#include "profile/profile.h"

/* Contexts differ by number or name. The name is the capture's. */
struct context_sum {
	uint32_t number; /* CAPTURE_NO_CONTEXT: samples without a context */
	const char *name;
	uint64_t samples, calls;
};

struct context_sums {
	struct context_sum *items;
	size_t count;
};

/* Sums over all captures of the profile: samples without a context first, then by falling samples and calls. The caller
 * frees sums->items, also on failure. */
enum status contexts_sum(const struct profile *profile, struct context_sums *sums, struct error *error);

#endif
