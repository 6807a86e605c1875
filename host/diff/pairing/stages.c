/* SPDX-License-Identifier: MIT */
/* See stages.h. */
#include "diff/pairing/stages.h"

#include "base/array.h"
#include "base/search.h"
#include "diff/pairing/names.h"
#include "firmware/calls/fingerprint.h"

#include <stdlib.h>
#include <string.h>

/* --- Pairs two groups if they are the only ones in their builds with the same key. */

/* The maximum number of path components to compare. It is limited because builds may be in different folders. */
#define COMPONENTS_MAX 8

/* A group that may be paired, and the key that it must share with its partner. */
struct pair_candidate {
	struct pairing_group *group;
	const char *name, *path; /* NULL: not part of the key */
	uint64_t number;
};

struct candidates {
	struct pair_candidate *items;
	size_t count;
	bool is_short_of_memory;
};

static void candidates_add(struct candidates *candidates, struct pair_candidate candidate)
{
	if (!array_append(&candidates->items, &candidates->count, &candidate, sizeof candidate))
		candidates->is_short_of_memory = true;
}

static int compare_candidate_keys(const struct pair_candidate *left, const struct pair_candidate *right)
{
	if (left->number != right->number)
		return compare_numbers(left->number, right->number);
	int by_name = compare_texts(left->name, right->name);
	return by_name != 0 ? by_name : compare_texts(left->path, right->path);
}

static int compare_pair_candidates(const void *left, const void *right)
{
	const struct pair_candidate *a = left, *b = right;
	int by_key = compare_candidate_keys(a, b);

	if (by_key != 0)
		return by_key;
	return a->group->build != b->group->build ? compare_numbers(a->group->build, b->group->build)
	                                          : compare_numbers(a->group->first, b->group->first);
}

/* Pairs candidates with the same key; the old build's candidates come first. A group may occur twice. */
static void pair_only(const struct pair_candidate *items, size_t count, enum pairing_how how)
{
	struct pairing_group *old = items[0].group, *new = items[count - 1].group;
	bool are_only = old->build == BUILD_OLD && new->build == BUILD_NEW;

	for (size_t i = 0; i < count; i++)
		are_only &= items[i].group == old || items[i].group == new;
	if (!are_only || old->partner != NULL || new->partner != NULL)
		return;
	old->partner = new;
	new->partner = old;
	old->how = new->how = how;
}

static void match_sorted(const struct candidates *candidates, enum pairing_how how)
{
	for (size_t first = 0, end; first < candidates->count; first = end) {
		const struct pair_candidate *items = &candidates->items[first];

		for (end = first + 1;
		     end < candidates->count && compare_candidate_keys(items, &candidates->items[end]) == 0;)
			end++;
		pair_only(items, end - first, how);
	}
}

/* Pairs candidates if their key is unique in each build; groups that are already paired stay paired. Empties the list.
 * False when out of memory, now or earlier. */
static bool candidates_match(struct candidates *candidates, enum pairing_how how)
{
	bool ok = !candidates->is_short_of_memory;

	if (ok && candidates->count > 0) {
		qsort(candidates->items, candidates->count, sizeof *candidates->items, compare_pair_candidates);
		match_sorted(candidates, how);
	}
	free(candidates->items);
	*candidates = (struct candidates){.items = NULL};
	return ok;
}

/* Adds a group that has no partner yet to the candidates. */
typedef void (*add_group)(struct candidates *candidates, struct groups *groups, struct pairing_group *group);

static void add_unpaired_groups(struct candidates *candidates, struct groups groups[BUILD_COUNT], add_group add)
{
	for (enum build build = 0; build < BUILD_COUNT; build++)
		for (size_t i = 0; i < groups[build].count; i++)
			if (groups[build].items[i].partner == NULL)
				add(candidates, &groups[build], &groups[build].items[i]);
}

static bool match_left(struct groups groups[BUILD_COUNT], add_group add, enum pairing_how how)
{
	struct candidates candidates = {.items = NULL};

	add_unpaired_groups(&candidates, groups, add);
	return candidates_match(&candidates, how);
}

/* Pairs candidates with the same key and the same last components of their paths. */
static bool match_tails(const struct candidates *candidates, unsigned components, enum pairing_how how)
{
	struct candidates round = {.items = NULL};

	for (size_t i = 0; i < candidates->count; i++) {
		struct pair_candidate candidate = candidates->items[i];
		const char *file = member_file(candidate.group->main);

		if (file == NULL || candidate.group->partner != NULL)
			continue;
		candidate.path = path_tail(file, components);
		candidates_add(&round, candidate);
	}
	return candidates_match(&round, how);
}

/* Like candidates_match(), but known files must also match. Compares the longest paths first. */
static bool match_files(struct candidates *candidates, enum pairing_how how)
{
	bool ok = !candidates->is_short_of_memory;

	for (unsigned components = COMPONENTS_MAX; ok && components > 0; components--)
		ok = match_tails(candidates, components, how);
	free(candidates->items);
	return ok;
}

static bool is_any_left_of(const struct groups *groups)
{
	for (size_t i = 0; i < groups->count; i++)
		if (groups->items[i].partner == NULL)
			return true;
	return false;
}

/* Whether both builds have groups without a partner. */
static bool is_any_left(const struct groups groups[BUILD_COUNT])
{
	return is_any_left_of(&groups[BUILD_OLD]) && is_any_left_of(&groups[BUILD_NEW]);
}

/* --- By name: linkage name, aliases, and the source file of local functions. */

static void add_name_candidate(struct candidates *candidates, struct groups *groups, struct pairing_group *group)
{
	(void)groups;
	candidates_add(candidates, (struct pair_candidate){.group = group, .name = group->main->name});
}

/* Adds all names: code can have several, and the builds may keep different ones. */
static void add_global_names(struct candidates *candidates, struct groups *groups)
{
	const struct members *members = &groups->members;

	for (size_t i = 0; i < members->entry_count; i++) {
		const struct image_entry *entry = &members->entries[i];
		const struct image_function *function = image_function_at(groups->image, entry->address);

		if (function == NULL || function->start != entry->address || entry->is_local)
			continue;
		size_t index = groups->group_of[function - groups->image->functions];
		struct pairing_group *group = index == PAIRING_NONE ? NULL : &groups->items[index];
		if (group != NULL && group->partner == NULL && !group_is_inlined(group))
			candidates_add(candidates, (struct pair_candidate){.group = group, .name = entry->name});
	}
}

static bool match_global_names(struct groups groups[BUILD_COUNT])
{
	struct candidates candidates = {.items = NULL};

	for (enum build build = 0; build < BUILD_COUNT; build++)
		add_global_names(&candidates, &groups[build]);
	return candidates_match(&candidates, PAIRED_BY_NAME);
}

static void add_source_candidate(struct candidates *candidates, struct groups *groups, struct pairing_group *group)
{
	const struct group_member *member = group->main;

	(void)groups;
	if (member->source != NULL)
		candidates_add(candidates, (struct pair_candidate){.group = group,
		                                                   .name = member->name,
		                                                   .path = path_tail(member->source, 1)});
}

/* --- Names that several functions have in both builds, distinguished by file. DWARF is read only for these. */

static int compare_candidate_names(const void *left, const void *right)
{
	const struct pair_candidate *a = left, *b = right;
	int by_name = strcmp(a->name, b->name);

	return by_name != 0 ? by_name : compare_numbers(a->group->build, b->group->build);
}

/* Keeps the candidates whose name has no partner yet in both builds, and locates them. */
static void locate_same_name(struct candidates *candidates, const struct groups groups[BUILD_COUNT])
{
	size_t kept = 0;

	if (candidates->count > 0)
		qsort(candidates->items, candidates->count, sizeof *candidates->items, compare_candidate_names);
	for (size_t first = 0, end; first < candidates->count; first = end) {
		const struct pair_candidate *items = candidates->items;

		for (end = first + 1; end < candidates->count && strcmp(items[first].name, items[end].name) == 0;)
			end++;
		if (items[first].group->build == items[end - 1].group->build)
			continue;
		for (size_t i = first; i < end; i++) {
			struct pair_candidate candidate = items[i];

			member_locate(groups[candidate.group->build].image, candidate.group->main);
			candidates->items[kept++] = candidate;
		}
	}
	candidates->count = kept;
}

static bool match_same_name(struct groups groups[BUILD_COUNT])
{
	struct candidates candidates = {.items = NULL};

	add_unpaired_groups(&candidates, groups, add_name_candidate);
	locate_same_name(&candidates, groups);
	return match_files(&candidates, PAIRED_BY_NAME);
}

/* Compares file names without folders, because one build may know no folders. */
static bool is_in_other_file(const struct group_member *old, const struct group_member *new)
{
	bool are_known = old->source != NULL && new->source != NULL;

	return are_known && strcmp(path_tail(old->source, 1), path_tail(new->source, 1)) != 0;
}

/* How two groups that were paired by name correspond. If their main names differ, an alias matched. */
static enum pairing_how how_named(const struct pairing_group *old, const struct pairing_group *new)
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
		struct pairing_group *old = &groups->items[i], *new = old->partner;

		if (new != NULL)
			old->how = new->how = how_named(old, new);
	}
}

/* Nearly all names belong to a single function in each build, so these come first. */
bool pair_by_name(struct groups groups[BUILD_COUNT])
{
	bool ok = match_left(groups, add_name_candidate, PAIRED_BY_NAME);

	if (ok && is_any_left(groups))
		ok = match_global_names(groups) && match_left(groups, add_source_candidate, PAIRED_BY_NAME) &&
		     match_same_name(groups);
	settle_how(&groups[BUILD_OLD]);
	return ok;
}

/* --- By place of definition. */

static void add_line_candidate(struct candidates *candidates, struct groups *groups, struct pairing_group *group)
{
	if (group_is_inlined(group))
		return;
	member_locate(groups->image, group->main);
	if (group->main->file != NULL)
		candidates_add(candidates,
		               (struct pair_candidate){.group = group, .number = (uint64_t)group->main->line});
}

bool pair_by_place(struct groups groups[BUILD_COUNT])
{
	struct candidates candidates = {.items = NULL};

	if (!is_any_left(groups))
		return true;
	add_unpaired_groups(&candidates, groups, add_line_candidate);
	return match_files(&candidates, PAIRED_BY_PLACE);
}

/* --- By code, at any address. */

/* Inlined functions are only a part of the code, so they cannot be compared. */
static bool can_pair_by_code(const struct pairing_group *group)
{
	return group->partner == NULL && !group_is_inlined(group);
}

/* False when out of memory. */
static bool add_codes(struct candidates *candidates, struct groups *groups)
{
	size_t count = groups->image->function_count;
	bool *wanted = calloc(count + 1, sizeof *wanted);
	struct fingerprint *fingerprints = calloc(count + 1, sizeof *fingerprints);
	bool ok = wanted != NULL && fingerprints != NULL;

	for (size_t i = 0; ok && i < groups->count; i++)
		wanted[groups->items[i].main->function] |= can_pair_by_code(&groups->items[i]);
	/* Without a decoder there are no fingerprints. */
	bool is_found = ok && fingerprints_find(groups->image, wanted, fingerprints);
	for (size_t i = 0; is_found && i < groups->count; i++) {
		struct pairing_group *group = &groups->items[i];
		const struct fingerprint *fingerprint = &fingerprints[group->main->function];

		if (can_pair_by_code(group) && fingerprint->instructions >= FINGERPRINT_INSTRUCTIONS_MIN)
			candidates_add(candidates,
			               (struct pair_candidate){.group = group, .number = fingerprint->hash});
	}
	free(wanted);
	free(fingerprints);
	return ok;
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
