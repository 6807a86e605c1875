/* SPDX-License-Identifier: MIT */
/* See groups.h. */
#include "diff/pairing/groups.h"

#include "base/array.h"
#include "base/search.h"
#include "diff/pairing/names.h"

#include <stdlib.h>
#include <string.h>

static enum member_kind member_kind_of(const struct image_function *function, bool is_clone)
{
	if (function->inlined_into != IMAGE_NOT_INLINED)
		return MEMBER_INLINED;
	if (is_clone)
		return MEMBER_CLONE;
	return function->is_local ? MEMBER_LOCAL : MEMBER_GLOBAL;
}

/* False when out of memory. */
static bool add_member(struct members *members, const struct image *image, size_t index)
{
	const struct image_function *function = &image->functions[index];
	bool is_clone;
	size_t length = name_base_length(function->name, &is_clone);
	bool is_whole = function->name[length] == '\0';
	const char *name = is_whole ? function->name
	                            : array_append_text(&members->kept, &members->kept_count, function->name, length);

	members->items[members->count++] = (struct group_member){
	        .name = name,
	        .full = function->name,
	        .function = index,
	        .kind = member_kind_of(function, is_clone),
	        .is_local = function->is_local,
	        .file = function->inlined_into != IMAGE_NOT_INLINED ? function->file : NULL,
	        .line = function->line,
	        .is_located = function->inlined_into != IMAGE_NOT_INLINED,
	        .group = MEMBER_UNGROUPED,
	};
	return name != NULL;
}

/* Takes the first if DWARF has several entries with that name at one place. */
static const struct image_entry *entry_of_function(const struct members *members, const struct image_function *function)
{
	size_t low = 0, high = members->entry_count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		const struct image_entry *entry = &members->entries[middle];

		if (entry->address < function->start ||
		    (entry->address == function->start && strcmp(entry->name, function->name) < 0))
			low = middle + 1;
		else
			high = middle;
	}
	const struct image_entry *found = &members->entries[low];
	bool is_it = low < members->entry_count && found->address == function->start &&
	             strcmp(found->name, function->name) == 0;
	return is_it ? found : NULL;
}

static void find_sources(struct members *members, const struct image *image)
{
	for (size_t i = 0; i < members->count; i++) {
		struct group_member *member = &members->items[i];
		const struct image_entry *entry = entry_of_function(members, &image->functions[member->function]);

		if (member->kind == MEMBER_INLINED || entry == NULL)
			continue;
		member->source = entry->source;
		member->unit = entry->unit;
	}
}

/* The order of members of the same name: by kind, then by function. */
static int member_compare_order(const struct group_member *left, const struct group_member *right)
{
	return left->kind != right->kind ? compare_numbers(left->kind, right->kind)
	                                 : compare_numbers(left->function, right->function);
}

static int compare_member_names(const void *left, const void *right)
{
	const struct group_member *a = left, *b = right;
	int by_name = strcmp(a->name, b->name);

	return by_name != 0 ? by_name : member_compare_order(a, b);
}

/* False when out of memory. */
static bool members_find(const struct image *image, struct members *members)
{
	*members = (struct members){.items = calloc(image->function_count + 1, sizeof *members->items)};
	bool ok = members->items != NULL && image_entries(image, &members->entries, &members->entry_count);
	for (size_t i = 0; ok && i < image->function_count; i++)
		if (image->functions[i].first == i)
			ok = add_member(members, image, i);
	if (!ok)
		return false;
	find_sources(members, image);
	qsort(members->items, members->count, sizeof *members->items, compare_member_names);
	return true;
}

void member_locate(const struct image *image, struct group_member *member)
{
	if (member->is_located)
		return;
	member->is_located = true;
	image_line(image, image->functions[member->function].start, &member->file, &member->line);
}

const char *member_file(const struct group_member *member)
{
	return member->file != NULL ? member->file : member->source;
}

/* --- Groups of members of the same name. */

struct same_name {
	struct groups *groups;
	struct group_member **items; /* in the order that the current step needs */
	size_t count;
	struct group_member *global, *only; /* NULL: there is none, or there are several */
};

static bool is_function(const struct group_member *member)
{
	return member->kind == MEMBER_GLOBAL || member->kind == MEMBER_LOCAL;
}

static void begin_group(struct groups *groups, struct group_member *member)
{
	member->group = groups->count;
	groups->items[groups->count++] = (struct pairing_group){.main = member, .how = PAIRED_NOT};
}

/* Global functions of the same name become one group; local functions stay separate. */
static void group_functions(struct same_name *same_name)
{
	size_t begun = same_name->groups->count;

	for (size_t i = 0; i < same_name->count && is_function(same_name->items[i]); i++) {
		struct group_member *member = same_name->items[i];

		if (member->kind == MEMBER_GLOBAL && same_name->global != NULL) {
			member->group = same_name->global->group;
			continue;
		}
		begin_group(same_name->groups, member);
		if (member->kind == MEMBER_GLOBAL)
			same_name->global = member;
	}
	if (same_name->groups->count == begun + 1)
		same_name->only = same_name->items[0];
}

static int compare_member_files(const struct group_member *left, const struct group_member *right)
{
	return compare_texts(left->file, right->file);
}

static int compare_files_or_units(const struct group_member *left, const struct group_member *right)
{
	int order = compare_member_files(left, right);

	return order == 0 && left->file == NULL ? compare_numbers(left->unit, right->unit) : order;
}

static int compare_member_units(const void *left, const void *right)
{
	const struct group_member *a = *(struct group_member *const *)left, *b = *(struct group_member *const *)right;
	int order = compare_numbers(a->unit, b->unit);

	return order != 0 ? order : member_compare_order(a, b);
}

/* Compares files or, if these are unknown, translation units. */
static int compare_member_places(const void *left, const void *right)
{
	const struct group_member *a = *(struct group_member *const *)left, *b = *(struct group_member *const *)right;
	int order = compare_files_or_units(a, b);

	return order != 0 ? order : member_compare_order(a, b);
}

/* Whether the member is inlined code of a different function with the same name. DWARF distinguishes such functions by
 * file and linkage. */
static bool is_unrelated(const struct same_name *same_name, const struct group_member *member,
                         struct group_member *function)
{
	if (member->kind != MEMBER_INLINED)
		return false;
	member_locate(same_name->groups->image, function);
	bool is_elsewhere =
	        member->file != NULL && function->file != NULL && compare_member_files(member, function) != 0;
	return is_elsewhere || (member->is_local && function->kind == MEMBER_GLOBAL);
}

static void join_member(const struct same_name *same_name, struct group_member *member, struct group_member *function)
{
	if (member->group == MEMBER_UNGROUPED && !is_unrelated(same_name, member, function))
		member->group = function->group;
}

static void join_within_units(struct same_name *same_name)
{
	struct group_member *function = NULL;

	qsort(same_name->items, same_name->count, sizeof(struct group_member *), compare_member_units);
	for (size_t i = 0; i < same_name->count; i++) {
		struct group_member *member = same_name->items[i];

		if (function != NULL && function->unit != member->unit)
			function = NULL;
		if (is_function(member) && function == NULL && member->unit != 0)
			function = member;
		else if (function != NULL)
			join_member(same_name, member, function);
	}
}

/* If local functions of several units are defined in one header, the first gets the code that cannot be
 * distinguished. */
static void join_within_files(struct same_name *same_name)
{
	struct group_member *function = NULL;

	for (size_t i = 0; i < same_name->count; i++)
		member_locate(same_name->groups->image, same_name->items[i]);
	qsort(same_name->items, same_name->count, sizeof(struct group_member *), compare_member_places);
	for (size_t i = 0; i < same_name->count; i++) {
		struct group_member *member = same_name->items[i];

		if (function != NULL && compare_member_files(function, member) != 0)
			function = NULL;
		if (is_function(member) && function == NULL && member->file != NULL)
			function = member;
		else if (function != NULL)
			join_member(same_name, member, function);
	}
}

/* True if the unit of some remaining member is unknown, so that DWARF is needed. */
static bool needs_files(const struct same_name *same_name)
{
	for (size_t i = 0; i < same_name->count && same_name->count > 1; i++)
		if (same_name->items[i]->group == MEMBER_UNGROUPED && same_name->items[i]->unit == 0)
			return true;
	return false;
}

static void join_function(struct same_name *same_name, struct group_member *function)
{
	for (size_t i = 0; i < same_name->count; i++)
		join_member(same_name, same_name->items[i], function);
}

/* Groups the members without a function. */
static void group_rest(struct same_name *same_name)
{
	const struct group_member *last = NULL;

	qsort(same_name->items, same_name->count, sizeof(struct group_member *), compare_member_places);
	for (size_t i = 0; i < same_name->count; i++) {
		struct group_member *member = same_name->items[i];

		if (member->group != MEMBER_UNGROUPED)
			continue;
		if (last != NULL && compare_files_or_units(last, member) == 0)
			member->group = last->group;
		else
			begin_group(same_name->groups, member);
		last = member;
	}
}

static void group_same_name(struct same_name *same_name)
{
	group_functions(same_name);
	if (same_name->only != NULL)
		join_function(same_name, same_name->only);
	else
		join_within_units(same_name);
	if (needs_files(same_name))
		join_within_files(same_name);
	if (same_name->global != NULL)
		join_function(same_name, same_name->global);
	group_rest(same_name);
}

/* --- */

static bool group_members(struct groups *groups)
{
	struct members *members = &groups->members;
	struct group_member **items = calloc(members->count + 1, sizeof *items);

	if (items == NULL)
		return false;
	for (size_t first = 0, end; first < members->count; first = end) {
		for (end = first;
		     end < members->count && strcmp(members->items[end].name, members->items[first].name) == 0; end++)
			items[end] = &members->items[end];
		struct same_name same_name = {.groups = groups, .items = items + first, .count = end - first};
		group_same_name(&same_name);
	}
	free(items);
	return true;
}

static void count_member(struct groups *groups, const struct group_member *member)
{
	struct pairing_group *group = &groups->items[member->group];
	/* Inlined functions come last. */
	bool can_be_first = member->kind != MEMBER_INLINED || group->functions == 0;

	if (can_be_first && member->function < group->first)
		group->first = member->function;
	group->functions += member->kind == MEMBER_INLINED ? 0 : 1;
	groups->group_of[member->function] = member->group;
}

bool groups_find(const struct image *image, enum build build, struct groups *groups)
{
	*groups = (struct groups){.image = image};
	size_t count = image->function_count;
	groups->items = calloc(count + 1, sizeof *groups->items);
	groups->group_of = calloc(count + 1, sizeof *groups->group_of);
	if (groups->items == NULL || groups->group_of == NULL || !members_find(image, &groups->members) ||
	    !group_members(groups))
		return false;
	for (size_t i = 0; i < count; i++)
		groups->group_of[i] = PAIRING_NONE;
	for (size_t i = 0; i < groups->count; i++) {
		groups->items[i].build = build;
		groups->items[i].first = SIZE_MAX;
	}
	for (size_t i = 0; i < groups->members.count; i++)
		count_member(groups, &groups->members.items[i]);
	return true;
}

void groups_free(struct groups *groups)
{
	for (size_t i = 0; i < groups->members.kept_count; i++)
		free(groups->members.kept[i]);
	free(groups->members.kept);
	free(groups->members.items);
	free(groups->members.entries);
	free(groups->items);
	free(groups->group_of);
	*groups = (struct groups){.items = NULL};
}
