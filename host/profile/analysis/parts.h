/* SPDX-License-Identifier: MIT */
/* The parts that a profile can be split into, and their profiles, still empty. Private to analysis/. */
#ifndef PROFILE_ANALYSIS_PARTS_H
#define PROFILE_ANALYSIS_PARTS_H

#include "profile/analysis.h"
#include "profile/split.h"

/* The number of parts that a profile may have: 2 to 256, fewer if its image and its captures are large. */
size_t parts_max(const struct profile *profile);

/* Lists the contexts of the captures, or of each core: at most 256 parts, the last of which may be the rest. The
 * caller frees *parts, also after a failure. */
enum status parts_find_contexts(const struct profile *profile, bool by_core, struct profile_part **parts, size_t *count,
                                struct error *error);

/* Copies the captures' samples and calls of parts[index], and creates its profile, still empty. Freed by
 * profile_free_part(), also after a failure. */
enum status parts_begin(const struct profile *profile, struct profile_part *parts, size_t index, struct error *error);

/* The order of parts: core by core, most time first, then the rest, then samples without a context. */
struct part_key {
	unsigned core; /* 0 if it does not matter */
	bool is_rest;
	uint32_t number;
	const char *name;
	double time;
};
int parts_compare(const struct part_key *a, const struct part_key *b);

#endif
