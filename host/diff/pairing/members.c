/* SPDX-License-Identifier: MIT */
/* See members.h. */
#include "diff/pairing/members.h"

#include "base/array.h"
#include "diff/pairing/names.h"

#include <string.h>

/* Keeps the first bytes of a name. */
static const char *keep_name(struct members *members, const char *name, size_t length)
{
	char **kept = array_reserve(members->kept, sizeof *kept, members->kept_count);
	if (kept == NULL)
		return NULL;
	members->kept = kept;
	kept[members->kept_count] = strndup(name, length);
	return kept[members->kept_count] == NULL ? NULL : kept[members->kept_count++];
}

static enum member_kind kind_of(const struct image_function *function, bool is_clone)
{
	if (function->inlined_into != IMAGE_NOT_INLINED)
		return MEMBER_INLINED;
	if (is_clone)
		return MEMBER_CLONE;
	return function->is_local ? MEMBER_LOCAL : MEMBER_GLOBAL;
}

/* False if memory is short. */
static bool add_member(struct members *members, const struct image *image, size_t index)
{
	const struct image_function *function = &image->functions[index];
	bool is_clone;
	size_t length = name_base_length(function->name, &is_clone);
	bool is_whole = function->name[length] == '\0';
	const char *name = is_whole ? function->name : keep_name(members, function->name, length);
	members->items[members->count++] = (struct member){
	        .name = name,
	        .full = function->name,
	        .function = index,
	        .kind = kind_of(function, is_clone),
	        .is_local = function->is_local,
	        .file = function->inlined_into != IMAGE_NOT_INLINED ? function->file : NULL,
	        .line = function->line,
	        .is_located = function->inlined_into != IMAGE_NOT_INLINED,
	        .group = MEMBER_UNGROUPED,
	};
	return name != NULL;
}

/* If DWARF has several entries of that name at one place, the first is taken. */
static const struct image_entry *entry_of(const struct members *members, const struct image_function *function)
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
		struct member *member = &members->items[i];
		const struct image_entry *entry = entry_of(members, &image->functions[member->function]);
		if (member->kind == MEMBER_INLINED || entry == NULL)
			continue;
		member->source = entry->source;
		member->unit = entry->unit;
	}
}

int member_compare_order(const struct member *left, const struct member *right)
{
	if (left->kind != right->kind)
		return left->kind < right->kind ? -1 : 1;
	return (left->function > right->function) - (left->function < right->function);
}

static int compare_members(const void *left, const void *right)
{
	const struct member *a = left, *b = right;
	int by_name = strcmp(a->name, b->name);
	return by_name != 0 ? by_name : member_compare_order(a, b);
}

bool members_find(const struct image *image, struct members *members)
{
	*members = (struct members){.items = calloc(image->function_count + 1, sizeof *members->items)};
	bool is_done = members->items != NULL && image_entries(image, &members->entries, &members->entry_count);
	for (size_t i = 0; is_done && i < image->function_count; i++)
		if (image->functions[i].first == i)
			is_done = add_member(members, image, i);
	if (!is_done)
		return false;
	find_sources(members, image);
	qsort(members->items, members->count, sizeof *members->items, compare_members);
	return true;
}

void members_free(struct members *members)
{
	for (size_t i = 0; i < members->kept_count; i++)
		free(members->kept[i]);
	free(members->kept);
	free(members->items);
	free(members->entries);
	*members = (struct members){.items = NULL};
}

void member_locate(const struct image *image, struct member *member)
{
	if (member->is_located)
		return;
	member->is_located = true;
	image_line(image, image->functions[member->function].start, &member->file, &member->line);
}

const char *member_file(const struct member *member)
{
	return member->file != NULL ? member->file : member->source;
}
