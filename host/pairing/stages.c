/* SPDX-License-Identifier: MIT */
/* See stages.h. */
#include "pairing/stages.h"

#include "calls/fingerprint.h"
#include "pairing/match.h"
#include "pairing/names.h"

#include <stdlib.h>
#include <string.h>

/* Builds lie in different folders: so many components of a path are compared at most. */
#define COMPONENTS_MAX 8

typedef void (*add_group)(struct entrants *entrants, struct groups *groups, struct group *group);

/* Enters the groups of both builds that have no partner yet. */
static void enter_left(struct entrants *entrants, struct groups groups[BUILD_COUNT], add_group add)
{
	for (enum build build = 0; build < BUILD_COUNT; build++)
		for (size_t i = 0; i < groups[build].count; i++)
			if (groups[build].items[i].partner == NULL)
				add(entrants, &groups[build], &groups[build].items[i]);
}

static bool match_left(struct groups groups[BUILD_COUNT], add_group add, tell_how how)
{
	struct entrants entrants = {.items = NULL};
	enter_left(&entrants, groups, add);
	return entrants_match(&entrants, how);
}

static bool is_any_left_of(const struct groups *groups)
{
	for (size_t i = 0; i < groups->count; i++)
		if (groups->items[i].partner == NULL)
			return true;
	return false;
}

bool is_any_left(const struct groups groups[BUILD_COUNT])
{
	return is_any_left_of(&groups[BUILD_OLD]) && is_any_left_of(&groups[BUILD_NEW]);
}

/* --- Names. */

/* Of a file that both know without its folders. */
static bool is_in_other_file(const struct member *old, const struct member *new)
{
	return old->source != NULL &&
	       new->source != NULL &&strcmp(path_tail(old->source, 1), path_tail(new->source, 1)) != 0;
}

static enum pairing_how how_named(const struct group *old, const struct group *new)
{
	if (strcmp(old->main->full, new->main->full) != 0)
		return PAIRED_BY_CLONE;
	bool is_moved = old->main->is_local != new->main->is_local || is_in_other_file(old->main, new->main);
	return is_moved && !group_is_inlined(old) && !group_is_inlined(new) ? PAIRED_BY_MOVED_NAME : PAIRED_BY_NAME;
}

static enum pairing_how how_global(const struct group *old, const struct group *new)
{
	(void)old;
	(void)new;
	return PAIRED_BY_NAME;
}

static void add_name(struct entrants *entrants, struct groups *groups, struct group *group)
{
	(void)groups;
	entrants_add(entrants, (struct entrant){.group = group, .name = group->main->name});
}

/* All of them: code may have several, of which the images have not the same one. */
static void add_global_names(struct entrants *entrants, struct groups *groups)
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
			entrants_add(entrants, (struct entrant){.group = group, .name = entry->name});
	}
}

static bool match_global_names(struct groups groups[BUILD_COUNT])
{
	struct entrants entrants = {.items = NULL};
	for (enum build build = 0; build < BUILD_COUNT; build++)
		add_global_names(&entrants, &groups[build]);
	return entrants_match(&entrants, how_global);
}

static void add_source(struct entrants *entrants, struct groups *groups, struct group *group)
{
	const struct member *member = group->main;
	(void)groups;
	if (member->source != NULL)
		entrants_add(
		        entrants,
		        (struct entrant){.group = group, .name = member->name, .path = path_tail(member->source, 1)});
}

/* --- Names that several have in both builds, told apart by files. DWARF is looked at only for those. */

static int compare_names(const void *left, const void *right)
{
	const struct entrant *a = left, *b = right;
	int by_name = strcmp(a->name, b->name);
	return by_name != 0 ? by_name : (a->group->build > b->group->build) - (a->group->build < b->group->build);
}

/* Keeps of the entrants those whose name is left in both builds, and locates them. */
static void locate_namesakes(struct entrants *entrants, const struct groups groups[BUILD_COUNT])
{
	size_t kept = 0;
	if (entrants->count > 0)
		qsort(entrants->items, entrants->count, sizeof *entrants->items, compare_names);
	for (size_t first = 0, end; first < entrants->count; first = end) {
		const struct entrant *items = entrants->items;
		for (end = first + 1; end < entrants->count && strcmp(items[first].name, items[end].name) == 0;)
			end++;
		if (items[first].group->build == items[end - 1].group->build)
			continue;
		for (size_t i = first; i < end; i++) {
			struct entrant entrant = items[i];
			member_locate(groups[entrant.group->build].image, entrant.group->main);
			entrants->items[kept++] = entrant;
		}
	}
	entrants->count = kept;
}

static const char *file_of(const struct member *member)
{
	return member->file != NULL ? member->file : member->source;
}

/* Pairs those of the same key and so many components of their paths. */
static bool match_tails(const struct entrants *entrants, unsigned components, tell_how how)
{
	struct entrants round = {.items = NULL};
	for (size_t i = 0; i < entrants->count; i++) {
		struct entrant entrant = entrants->items[i];
		const char *file = file_of(entrant.group->main);
		if (file == NULL || entrant.group->partner != NULL)
			continue;
		entrant.path = path_tail(file, components);
		entrants_add(&round, entrant);
	}
	return entrants_match(&round, how);
}

/* The longest paths first. Frees the entrants. */
static bool match_files(struct entrants *entrants, tell_how how)
{
	bool is_done = !entrants->is_short_of_memory;
	for (unsigned components = COMPONENTS_MAX; is_done && components > 0; components--)
		is_done = match_tails(entrants, components, how);
	free(entrants->items);
	return is_done;
}

static bool match_namesakes(struct groups groups[BUILD_COUNT])
{
	struct entrants entrants = {.items = NULL};
	enter_left(&entrants, groups, add_name);
	locate_namesakes(&entrants, groups);
	return match_files(&entrants, how_named);
}

/* First the names that are one function's in each build: nearly all. */
bool pair_by_name(struct groups groups[BUILD_COUNT])
{
	return match_left(groups, add_name, how_named) &&
	       (!is_any_left(groups) ||
	        (match_global_names(groups) && match_left(groups, add_source, how_named) && match_namesakes(groups)));
}

/* --- Places. */

static enum pairing_how how_placed(const struct group *old, const struct group *new)
{
	(void)old;
	(void)new;
	return PAIRED_BY_PLACE;
}

static void add_line(struct entrants *entrants, struct groups *groups, struct group *group)
{
	if (group_is_inlined(group))
		return;
	member_locate(groups->image, group->main);
	if (group->main->file != NULL)
		entrants_add(entrants, (struct entrant){.group = group, .number = (uint64_t)group->main->line});
}

bool pair_by_place(struct groups groups[BUILD_COUNT])
{
	struct entrants entrants = {.items = NULL};
	if (!is_any_left(groups))
		return true;
	enter_left(&entrants, groups, add_line);
	return match_files(&entrants, how_placed);
}

/* --- Code. */

static enum pairing_how how_coded(const struct group *old, const struct group *new)
{
	(void)old;
	(void)new;
	return PAIRED_BY_CODE;
}

/* What is inlined has not all of its code. */
static bool may_be_told_by_code(const struct group *group)
{
	return group->partner == NULL && !group_is_inlined(group);
}

/* False if memory is short. */
static bool add_codes(struct entrants *entrants, struct groups *groups)
{
	size_t count = groups->image->function_count;
	bool *wanted = calloc(count + 1, sizeof *wanted);
	struct fingerprint *fingerprints = calloc(count + 1, sizeof *fingerprints);
	bool is_done = wanted != NULL && fingerprints != NULL;
	for (size_t i = 0; is_done && i < groups->count; i++)
		wanted[groups->items[i].main->function] |= may_be_told_by_code(&groups->items[i]);
	/* Without a decoder there are none. */
	bool is_found = is_done && fingerprints_find(groups->image, wanted, fingerprints);
	for (size_t i = 0; is_found && i < groups->count; i++) {
		struct group *group = &groups->items[i];
		const struct fingerprint *fingerprint = &fingerprints[group->main->function];
		if (may_be_told_by_code(group) && fingerprint->instructions >= FINGERPRINT_INSTRUCTIONS_MIN)
			entrants_add(entrants, (struct entrant){.group = group, .number = fingerprint->hash});
	}
	free(wanted);
	free(fingerprints);
	return is_done;
}

bool pair_by_code(struct groups groups[BUILD_COUNT])
{
	struct entrants entrants = {.items = NULL};
	if (!is_any_left(groups))
		return true;
	for (enum build build = 0; build < BUILD_COUNT; build++)
		if (!add_codes(&entrants, &groups[build]))
			entrants.is_short_of_memory = true;
	return entrants_match(&entrants, how_coded);
}
