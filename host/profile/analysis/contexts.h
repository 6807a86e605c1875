/* SPDX-License-Identifier: MIT */
/* The contexts that captures have samples, calls or switches of. Knows nothing of parts. */
#ifndef PROFILE_ANALYSIS_CONTEXTS_H
#define PROFILE_ANALYSIS_CONTEXTS_H

#include "profile/profile.h"

/* Told apart by number and name. The name is the capture's. */
struct context_sum {
	uint32_t number; /* CAPTURE_NO_CONTEXT: what has no context */
	const char *name;
	uint64_t samples, calls;
};

struct context_sums {
	struct context_sum *items;
	size_t count;
};

/* Those of all captures of the profile: what has no context first, then most samples, then most calls first. The caller
 * frees sums->items, whatever the status. */
enum status contexts_sum(const struct profile *profile, struct context_sums *sums, struct error *error);

#endif
