/* SPDX-License-Identifier: MIT */
/* See flow.h. */
#include "profile/analysis/flow.h"

#include <stdlib.h>

double flow_share(const struct profile *profile, const struct profile_arc *arc)
{
	uint64_t calls = profile_sharing_calls(profile, arc->callee);

	if (calls == 0 || !profile_arc_is_timed(profile, arc) || profile->nodes[arc->callee].wanted.fraction == 0 ||
	    profile->nodes[arc->caller].wanted.fraction == 0)
		return 0;
	return (double)arc->count / (double)calls;
}

/* A counting sort: the numbers are dense. */
size_t *flow_order(const struct profile *profile)
{
	size_t count = profile->node_count;
	size_t *starts = calloc(count + 2, sizeof *starts);
	size_t *ordered = calloc(count + 1, sizeof *ordered);

	if (starts == NULL || ordered == NULL) {
		free(starts);
		free(ordered);
		return NULL;
	}
	for (size_t i = 0; i < count; i++)
		starts[profile->nodes[i].order + 1]++;
	for (size_t i = 1; i < count + 2; i++)
		starts[i] += starts[i - 1];
	for (size_t i = 0; i < count; i++)
		ordered[starts[profile->nodes[i].order]++] = i;
	free(starts);
	return ordered;
}
