/* SPDX-License-Identifier: MIT */
/* Pairs by where functions are defined. See stages.h. */
#include "diff/pairing/match.h"
#include "diff/pairing/stages.h"

static void add_line(struct candidates *candidates, struct groups *groups, struct group *group)
{
	if (group_is_inlined(group))
		return;
	member_locate(groups->image, group->main);
	if (group->main->file != NULL)
		candidates_add(candidates, (struct candidate){.group = group, .number = (uint64_t)group->main->line});
}

bool pair_by_place(struct groups groups[BUILD_COUNT])
{
	struct candidates candidates = {.items = NULL};
	if (!is_any_left(groups))
		return true;
	enter_left(&candidates, groups, add_line);
	return match_files(&candidates, PAIRED_BY_PLACE);
}
