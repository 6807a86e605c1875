/* SPDX-License-Identifier: MIT */
/* See match.h. */
#include "diff/pairing/match.h"

#include "base/array.h"
#include "diff/pairing/names.h"

#include <stdlib.h>

/* The number of path components that are compared at most: builds may be in different folders. */
#define COMPONENTS_MAX 8

void candidates_add(struct candidates *candidates, struct candidate candidate)
{
	struct candidate *items = array_reserve(candidates->items, sizeof *items, candidates->count);
	if (items == NULL) {
		candidates->is_short_of_memory = true;
		return;
	}
	candidates->items = items;
	items[candidates->count++] = candidate;
}

static int compare_keys(const struct candidate *left, const struct candidate *right)
{
	if (left->number != right->number)
		return left->number < right->number ? -1 : 1;
	int by_name = compare_texts(left->name, right->name);
	return by_name != 0 ? by_name : compare_texts(left->path, right->path);
}

static int compare_candidates(const void *left, const void *right)
{
	const struct candidate *a = left, *b = right;
	int by_key = compare_keys(a, b);
	if (by_key != 0)
		return by_key;
	if (a->group->build != b->group->build)
		return a->group->build < b->group->build ? -1 : 1;
	return (a->group->first > b->group->first) - (a->group->first < b->group->first);
}

/* Candidates with one key, those of the old build first. A group may be among them twice. */
static void pair_only(const struct candidate *items, size_t count, enum pairing_how how)
{
	struct group *old = items[0].group, *new = items[count - 1].group;
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
		const struct candidate *items = &candidates->items[first];
		for (end = first + 1; end < candidates->count && compare_keys(items, &candidates->items[end]) == 0;)
			end++;
		pair_only(items, end - first, how);
	}
}

bool candidates_match(struct candidates *candidates, enum pairing_how how)
{
	bool is_done = !candidates->is_short_of_memory;
	if (is_done && candidates->count > 0) {
		qsort(candidates->items, candidates->count, sizeof *candidates->items, compare_candidates);
		match_sorted(candidates, how);
	}
	free(candidates->items);
	*candidates = (struct candidates){.items = NULL};
	return is_done;
}

void enter_left(struct candidates *candidates, struct groups groups[BUILD_COUNT], add_group add)
{
	for (enum build build = 0; build < BUILD_COUNT; build++)
		for (size_t i = 0; i < groups[build].count; i++)
			if (groups[build].items[i].partner == NULL)
				add(candidates, &groups[build], &groups[build].items[i]);
}

bool match_left(struct groups groups[BUILD_COUNT], add_group add, enum pairing_how how)
{
	struct candidates candidates = {.items = NULL};
	enter_left(&candidates, groups, add);
	return candidates_match(&candidates, how);
}

/* Pairs those of the same key and so many components of their paths. */
static bool match_tails(const struct candidates *candidates, unsigned components, enum pairing_how how)
{
	struct candidates round = {.items = NULL};
	for (size_t i = 0; i < candidates->count; i++) {
		struct candidate candidate = candidates->items[i];
		const char *file = member_file(candidate.group->main);
		if (file == NULL || candidate.group->partner != NULL)
			continue;
		candidate.path = path_tail(file, components);
		candidates_add(&round, candidate);
	}
	return candidates_match(&round, how);
}

bool match_files(struct candidates *candidates, enum pairing_how how)
{
	bool is_done = !candidates->is_short_of_memory;
	for (unsigned components = COMPONENTS_MAX; is_done && components > 0; components--)
		is_done = match_tails(candidates, components, how);
	free(candidates->items);
	return is_done;
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
