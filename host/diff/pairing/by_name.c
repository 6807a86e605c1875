/* SPDX-License-Identifier: MIT */
/* Pairs by name: linkage name, aliases, and the source file of local functions. See stages.h. */
#include "diff/pairing/match.h"
#include "diff/pairing/names.h"
#include "diff/pairing/stages.h"

#include <stdlib.h>
#include <string.h>

static void add_name(struct candidates *candidates, struct groups *groups, struct group *group)
{
	(void)groups;
	candidates_add(candidates, (struct candidate){.group = group, .name = group->main->name});
}

/* All of them, because code may have several names, and the builds may keep different ones. */
static void add_global_names(struct candidates *candidates, struct groups *groups)
{
	const struct members *members = &groups->members;
	for (size_t i = 0; i < members->entry_count; i++) {
		const struct image_entry *entry = &members->entries[i];
		const struct image_function *function = image_function_at(groups->image, entry->address);
		if (function == NULL || function->start != entry->address || entry->is_local)
			continue;
		size_t index = groups->group_of[function - groups->image->functions];
		struct group *group = index == PAIRING_NONE ? NULL : &groups->items[index];
		if (group != NULL && group->partner == NULL && !group_is_inlined(group))
			candidates_add(candidates, (struct candidate){.group = group, .name = entry->name});
	}
}

static bool match_global_names(struct groups groups[BUILD_COUNT])
{
	struct candidates candidates = {.items = NULL};
	for (enum build build = 0; build < BUILD_COUNT; build++)
		add_global_names(&candidates, &groups[build]);
	return candidates_match(&candidates, PAIRED_BY_NAME);
}

static void add_source(struct candidates *candidates, struct groups *groups, struct group *group)
{
	const struct member *member = group->main;
	(void)groups;
	if (member->source != NULL)
		candidates_add(
		        candidates,
		        (struct candidate){.group = group, .name = member->name, .path = path_tail(member->source, 1)});
}

/* --- Names that several functions have in both builds, distinguished by file. DWARF is read only for those. */

static int compare_names(const void *left, const void *right)
{
	const struct candidate *a = left, *b = right;
	int by_name = strcmp(a->name, b->name);
	return by_name != 0 ? by_name : (a->group->build > b->group->build) - (a->group->build < b->group->build);
}

/* Keeps of the candidates those whose name is left in both builds, and locates them. */
static void locate_same_name(struct candidates *candidates, const struct groups groups[BUILD_COUNT])
{
	size_t kept = 0;
	if (candidates->count > 0)
		qsort(candidates->items, candidates->count, sizeof *candidates->items, compare_names);
	for (size_t first = 0, end; first < candidates->count; first = end) {
		const struct candidate *items = candidates->items;
		for (end = first + 1; end < candidates->count && strcmp(items[first].name, items[end].name) == 0;)
			end++;
		if (items[first].group->build == items[end - 1].group->build)
			continue;
		for (size_t i = first; i < end; i++) {
			struct candidate candidate = items[i];
			member_locate(groups[candidate.group->build].image, candidate.group->main);
			candidates->items[kept++] = candidate;
		}
	}
	candidates->count = kept;
}

static bool match_same_name(struct groups groups[BUILD_COUNT])
{
	struct candidates candidates = {.items = NULL};
	enter_left(&candidates, groups, add_name);
	locate_same_name(&candidates, groups);
	return match_files(&candidates, PAIRED_BY_NAME);
}

/* Matches files of which one build knows only the name without folders. */
static bool is_in_other_file(const struct member *old, const struct member *new)
{
	bool are_known = old->source != NULL && new->source != NULL;
	return are_known && strcmp(path_tail(old->source, 1), path_tail(new->source, 1)) != 0;
}

/* Other names are aliases. */
static enum pairing_how how_named(const struct group *old, const struct group *new)
{
	if (strcmp(old->main->name, new->main->name) != 0)
		return PAIRED_BY_NAME;
	if (strcmp(old->main->full, new->main->full) != 0)
		return PAIRED_BY_CLONE;
	bool is_moved = old->main->is_local != new->main->is_local || is_in_other_file(old->main, new->main);
	return is_moved && !group_is_inlined(old) && !group_is_inlined(new) ? PAIRED_BY_MOVED_NAME : PAIRED_BY_NAME;
}

static void settle_how(struct groups *groups)
{
	for (size_t i = 0; i < groups->count; i++) {
		struct group *old = &groups->items[i], *new = old->partner;
		if (new != NULL)
			old->how = new->how = how_named(old, new);
	}
}

/* First the names that are one function's in each build: nearly all. */
bool pair_by_name(struct groups groups[BUILD_COUNT])
{
	bool is_done = match_left(groups, add_name, PAIRED_BY_NAME);
	if (is_done && is_any_left(groups))
		is_done = match_global_names(groups) && match_left(groups, add_source, PAIRED_BY_NAME) &&
		          match_same_name(groups);
	settle_how(&groups[BUILD_OLD]);
	return is_done;
}
