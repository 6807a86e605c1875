/* SPDX-License-Identifier: MIT */
/* See match.h. */
#include "diff/pairing/match.h"

#include "base/array.h"
#include "diff/pairing/names.h"

#include <stdlib.h>

/* Builds lie in different folders: so many components of a path are compared at most. */
#define COMPONENTS_MAX 8

void entrants_add(struct entrants *entrants, struct entrant entrant)
{
	struct entrant *items = array_reserve(entrants->items, sizeof *items, entrants->count);
	if (items == NULL) {
		entrants->is_short_of_memory = true;
		return;
	}
	entrants->items = items;
	items[entrants->count++] = entrant;
}

static int compare_keys(const struct entrant *left, const struct entrant *right)
{
	if (left->number != right->number)
		return left->number < right->number ? -1 : 1;
	int by_name = compare_texts(left->name, right->name);
	return by_name != 0 ? by_name : compare_texts(left->path, right->path);
}

static int compare_entrants(const void *left, const void *right)
{
	const struct entrant *a = left, *b = right;
	int by_key = compare_keys(a, b);
	if (by_key != 0)
		return by_key;
	if (a->group->build != b->group->build)
		return a->group->build < b->group->build ? -1 : 1;
	return (a->group->first > b->group->first) - (a->group->first < b->group->first);
}

/* Entrants of one key, the old build's first. A group may be among them twice. */
static void pair_only(const struct entrant *items, size_t count, enum pairing_how how)
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

static void match_sorted(const struct entrants *entrants, enum pairing_how how)
{
	for (size_t first = 0, end; first < entrants->count; first = end) {
		const struct entrant *items = &entrants->items[first];
		for (end = first + 1; end < entrants->count && compare_keys(items, &entrants->items[end]) == 0;)
			end++;
		pair_only(items, end - first, how);
	}
}

bool entrants_match(struct entrants *entrants, enum pairing_how how)
{
	bool is_done = !entrants->is_short_of_memory;
	if (is_done && entrants->count > 0) {
		qsort(entrants->items, entrants->count, sizeof *entrants->items, compare_entrants);
		match_sorted(entrants, how);
	}
	free(entrants->items);
	*entrants = (struct entrants){.items = NULL};
	return is_done;
}

void enter_left(struct entrants *entrants, struct groups groups[BUILD_COUNT], add_group add)
{
	for (enum build build = 0; build < BUILD_COUNT; build++)
		for (size_t i = 0; i < groups[build].count; i++)
			if (groups[build].items[i].partner == NULL)
				add(entrants, &groups[build], &groups[build].items[i]);
}

bool match_left(struct groups groups[BUILD_COUNT], add_group add, enum pairing_how how)
{
	struct entrants entrants = {.items = NULL};
	enter_left(&entrants, groups, add);
	return entrants_match(&entrants, how);
}

/* Pairs those of the same key and so many components of their paths. */
static bool match_tails(const struct entrants *entrants, unsigned components, enum pairing_how how)
{
	struct entrants round = {.items = NULL};
	for (size_t i = 0; i < entrants->count; i++) {
		struct entrant entrant = entrants->items[i];
		const char *file = member_file(entrant.group->main);
		if (file == NULL || entrant.group->partner != NULL)
			continue;
		entrant.path = path_tail(file, components);
		entrants_add(&round, entrant);
	}
	return entrants_match(&round, how);
}

bool match_files(struct entrants *entrants, enum pairing_how how)
{
	bool is_done = !entrants->is_short_of_memory;
	for (unsigned components = COMPONENTS_MAX; is_done && components > 0; components--)
		is_done = match_tails(entrants, components, how);
	free(entrants->items);
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
