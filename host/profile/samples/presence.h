/* SPDX-License-Identifier: MIT */
/* Functions that are known to have run by their recorded calls, for each core and context. */
#ifndef PROFILE_SAMPLES_PRESENCE_H
#define PROFILE_SAMPLES_PRESENCE_H

#include "profile/profile.h"

/* The core and context of samples and calls: a function that ran in one source need not have run in another. */
struct sample_source {
	unsigned core;
	uint32_t context;
	const char *name; /* name of the context */
};

struct sample_source source_of(const struct capture_block *block, uint32_t context);
int source_compare(const struct sample_source *left, const struct sample_source *right);

struct presence_mark;

/* All zero before presence_find(). */
struct presence {
	const struct profile *profile;
	bool is_complete; /* no call was lost: a function without calls was entered before recording, or never */
	bool has_contexts;
	struct presence_mark *marks; /* by source */
	size_t mark_count;
	size_t *seen; /* by function: the last source with calls of it, counted from 1 */
	size_t source_number, position;
};

/* True if no call was lost: only then does a count of 0 calls prove something. */
bool presence_is_complete(const struct profile *profile);

/* False when out of memory. Freed by presence_free(), also after a failure. O(n log n) in the number of arcs. */
bool presence_find(struct presence *presence, const struct profile *profile);
void presence_free(struct presence *presence);

/* Chooses a source; sources must be chosen in rising order, none twice. Returns true if the absence of calls proves
 * that a function did not run there. */
bool presence_choose(struct presence *presence, const struct sample_source *source);
/* True if the function is caller or callee of a call in the chosen source. */
bool presence_has(const struct presence *presence, size_t function);

#endif
