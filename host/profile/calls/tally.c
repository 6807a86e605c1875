/* SPDX-License-Identifier: MIT */
/* Pass: arcs between symbols from the arc records of gmon.out. Both addresses are looked up as they were recorded. */
#include "profile/analysis.h"
#include "profile/calls/arc_list.h"

#include <stdlib.h>

/* The callee is a function, even if the recorded address is inside it. If nodes are lines, it is the function's first
 * line. */
static size_t callee_at(struct profile *profile, uint64_t address)
{
	size_t callee = profile_node_at(profile, address);

	if (callee >= profile->image->function_count)
		return callee;
	while (callee > 0 && profile->image->functions[callee].is_line)
		callee--;
	return callee;
}

static bool add_gmon_arc(struct arc_list *list, struct profile *profile, const struct gmon_arc *arc)
{
	enum profile_node_kind kind = profile_caller_kind(profile->image, arc->from);
	size_t caller =
	        kind == PROFILE_FUNCTION ? profile_node_at(profile, arc->from) : profile_node_of_kind(profile, kind);
	size_t callee = callee_at(profile, arc->self);

	if (caller == PROFILE_NONE || callee == PROFILE_NONE)
		return false;
	const struct profile_arc made = {
	        .caller = (uint32_t)caller,
	        .callee = (uint32_t)callee,
	        .count = arc->count,
	};
	return arc_list_add(list, profile, made);
}

enum status analysis_tally_arcs(struct profile *profile, const struct gmon *gmon, struct error *error)
{
	struct arc_list list = {0};
	bool ok = arc_list_reserve(&list, gmon->arc_count);

	for (size_t i = 0; ok && i < gmon->arc_count; i++)
		ok = add_gmon_arc(&list, profile, &gmon->arcs[i]);
	enum status status =
	        ok ? arc_list_finish(&list, profile, error) : status_no_memory(error, profile->image->path);
	free(list.items);
	return status;
}
