/* SPDX-License-Identifier: MIT */
/* Pairs by what code does, wherever it lies. See stages.h. */
#include "diff/pairing/match.h"
#include "diff/pairing/stages.h"
#include "firmware/calls/fingerprint.h"

#include <stdlib.h>

/* Inlined functions are only a part of the code, so they cannot be compared. */
static bool can_pair_by_code(const struct group *group)
{
	return group->partner == NULL && !group_is_inlined(group);
}

/* False if memory is short. */
static bool add_codes(struct candidates *candidates, struct groups *groups)
{
	size_t count = groups->image->function_count;
	bool *wanted = calloc(count + 1, sizeof *wanted);
	struct fingerprint *fingerprints = calloc(count + 1, sizeof *fingerprints);
	bool is_done = wanted != NULL && fingerprints != NULL;
	for (size_t i = 0; is_done && i < groups->count; i++)
		wanted[groups->items[i].main->function] |= can_pair_by_code(&groups->items[i]);
	/* Without a decoder there are none. */
	bool is_found = is_done && fingerprints_find(groups->image, wanted, fingerprints);
	for (size_t i = 0; is_found && i < groups->count; i++) {
		struct group *group = &groups->items[i];
		const struct fingerprint *fingerprint = &fingerprints[group->main->function];
		if (can_pair_by_code(group) && fingerprint->instructions >= FINGERPRINT_INSTRUCTIONS_MIN)
			candidates_add(candidates, (struct candidate){.group = group, .number = fingerprint->hash});
	}
	free(wanted);
	free(fingerprints);
	return is_done;
}

bool pair_by_code(struct groups groups[BUILD_COUNT])
{
	struct candidates candidates = {.items = NULL};
	if (!is_any_left(groups))
		return true;
	for (enum build build = 0; build < BUILD_COUNT; build++)
		if (!add_codes(&candidates, &groups[build]))
			candidates.is_short_of_memory = true;
	return candidates_match(&candidates, PAIRED_BY_CODE);
}
