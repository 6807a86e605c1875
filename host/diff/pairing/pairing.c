/* SPDX-License-Identifier: MIT */
/* The stages of pairing, in order. See pairing.h. */
#include "diff/pairing/pairing.h"

#include "base/array.h"
#include "base/search.h"
#include "diff/pairing/groups.h"
#include "diff/pairing/inlined.h"
#include "diff/pairing/stages.h"

#include <stdlib.h>

/* --- Pairs: functions of the old build by address, then functions only in the new build. */

static void describe_side(struct pairing_pair *pair, const struct pairing_group *group)
{
	const struct group_member *member = group->main;

	pair->names[group->build] = member->name;
	pair->files[group->build] = member->is_local ? member_file(member) : NULL;
	pair->functions[group->build] = group->functions;
	pair->is_inlined[group->build] = group_is_inlined(group);
}

static void add_pair(struct pairing *pairing, struct pairing_group *group)
{
	struct pairing_pair *pair = &pairing->pairs[pairing->count];

	*pair = (struct pairing_pair){.how = group->how};
	describe_side(pair, group);
	group->pair = pairing->count;
	if (group->partner != NULL) {
		describe_side(pair, group->partner);
		group->partner->pair = pairing->count;
	}
	pairing->count++;
}

static int compare_first_functions(const void *left, const void *right)
{
	const struct pairing_group *a = *(struct pairing_group *const *)left,
	                           *b = *(struct pairing_group *const *)right;

	return compare_numbers(a->first, b->first);
}

/* False when out of memory. */
static bool add_pairs(struct pairing *pairing, struct groups *groups)
{
	struct pairing_group **ordered = calloc(groups->count + 1, sizeof(struct pairing_group *));

	if (ordered == NULL)
		return false;
	for (size_t i = 0; i < groups->count; i++)
		ordered[i] = &groups->items[i];
	qsort(ordered, groups->count, sizeof(struct pairing_group *), compare_first_functions);
	for (size_t i = 0; i < groups->count; i++)
		if (ordered[i]->build == BUILD_OLD || ordered[i]->partner == NULL)
			add_pair(pairing, ordered[i]);
	free(ordered);
	return true;
}

/* --- Owners. */

/* A split inlined function, its depth of inlining, and the owner of the function that it was inlined into. */
struct split_function {
	size_t function, group;
	size_t depth, into_owner;
};

static size_t inlining_depth(const struct image *image, size_t function)
{
	size_t depth = 0;

	for (; image->functions[function].inlined_into != IMAGE_NOT_INLINED; depth++)
		function = image->functions[function].inlined_into;
	return depth;
}

static int compare_split_depths(const void *left, const void *right)
{
	const struct split_function *a = left, *b = right;

	return a->depth != b->depth ? compare_numbers(a->depth, b->depth) : compare_numbers(a->function, b->function);
}

static int compare_inlined_into(const void *left, const void *right)
{
	const struct split_function *a = left, *b = right;

	if (a->group != b->group)
		return compare_numbers(a->group, b->group);
	return a->into_owner != b->into_owner ? compare_numbers(a->into_owner, b->into_owner)
	                                      : compare_numbers(a->function, b->function);
}

/* Sets the owners of the inlined functions of one depth; the owners of the functions that contain them are already
 * known. Code inlined into its own function counts as the function itself: as a callee it would count twice in the
 * total time of the row. */
static void own_level(const struct groups *groups, struct split_function *items, size_t count, size_t *owners)
{
	const struct image_function *functions = groups->image->functions;

	for (size_t i = 0; i < count; i++)
		items[i].into_owner = owners[functions[items[i].function].inlined_into];
	qsort(items, count, sizeof *items, compare_inlined_into);
	for (size_t i = 0; i < count; i++) {
		const struct split_function *item = &items[i];
		bool is_another = i > 0 && item[-1].group == item->group && item[-1].into_owner == item->into_owner;

		if (groups->group_of[functions[item->into_owner].first] == item->group)
			owners[item->function] = item->into_owner;
		else
			owners[item->function] = is_another ? owners[item[-1].function] : item->function;
	}
}

static void own_splits(const struct groups *groups, struct split_function *items, size_t count, size_t *owners)
{
	if (count > 0)
		qsort(items, count, sizeof *items, compare_split_depths);
	for (size_t first = 0, end; first < count; first = end) {
		for (end = first + 1; end < count && items[end].depth == items[first].depth;)
			end++;
		own_level(groups, items + first, end - first, owners);
	}
}

/* False when out of memory. */
static bool find_owners_in_build(const struct groups *groups, size_t *owners)
{
	const struct image *image = groups->image;
	struct split_function *splits = calloc(image->function_count + 1, sizeof *splits);
	size_t count = 0;

	if (splits == NULL)
		return false;
	for (size_t i = 0; i < image->function_count; i++) {
		size_t group = groups->group_of[i];

		if (image->functions[i].first != i)
			continue;
		if (image->functions[i].inlined_into == IMAGE_NOT_INLINED)
			owners[i] = groups->items[group].first;
		else
			splits[count++] = (struct split_function){
			        .function = i, .group = group, .depth = inlining_depth(image, i)};
	}
	own_splits(groups, splits, count, owners);
	for (size_t i = 0; i < image->function_count; i++)
		owners[i] = owners[image->functions[i].first];
	free(splits);
	return true;
}

/* False when out of memory. */
static bool fill_build(struct pairing *pairing, struct groups *groups, enum build build)
{
	const struct image *image = groups->image;
	struct members *members = &groups->members;
	size_t *owners = calloc(image->function_count + 1, sizeof *owners);
	size_t *pair_of = calloc(image->function_count + 1, sizeof *pair_of);

	pairing->owners[build] = owners;
	pairing->pair_of[build] = pair_of;
	if (owners == NULL || pair_of == NULL || !find_owners_in_build(groups, owners))
		return false;
	for (size_t i = 0; i < image->function_count; i++)
		pair_of[i] = groups->items[groups->group_of[image->functions[i].first]].pair;
	for (size_t i = 0; i < image->function_count; i++)
		pairing->pairs[pair_of[i]].has_inlined[build] |=
		        pair_of[i] != pair_of[image_containing_function(image, i)];
	for (; members->kept_count > 0; members->kept_count--)
		if (!array_append(&pairing->kept, &pairing->kept_count, &members->kept[members->kept_count - 1],
		                  sizeof *pairing->kept))
			return false;
	return true;
}

/* Converts groups to pairs. The result then owns the names that the groups kept. False when out of memory. */
static bool fill_pairing(struct groups groups[BUILD_COUNT], struct pairing *pairing)
{
	size_t count = groups[BUILD_OLD].count + groups[BUILD_NEW].count;

	pairing->pairs = calloc(count + 1, sizeof *pairing->pairs);
	bool ok = pairing->pairs != NULL && add_pairs(pairing, &groups[BUILD_OLD]) &&
	          add_pairs(pairing, &groups[BUILD_NEW]);
	for (enum build build = 0; build < BUILD_COUNT && ok; build++)
		ok = fill_build(pairing, &groups[build], build);
	return ok;
}

/* --- The stages. */

static void free_groups(struct groups groups[BUILD_COUNT])
{
	for (enum build build = 0; build < BUILD_COUNT; build++)
		groups_free(&groups[build]);
}

/* Groups the functions of both images in their current division, and pairs the groups by name. */
static enum status pair_names(struct image *images[BUILD_COUNT], struct groups groups[BUILD_COUNT], struct error *error)
{
	free_groups(groups);
	for (enum build build = 0; build < BUILD_COUNT; build++)
		if (!groups_find(images[build], build, &groups[build]))
			return status_no_memory(error, images[build]->path);
	return pair_by_name(groups) ? STATUS_OK : status_no_memory(error, images[BUILD_OLD]->path);
}

/* Uses DWARF, which names inlined code, before similarity of code. */
static enum status pair_inlined(struct image *images[BUILD_COUNT], struct groups groups[BUILD_COUNT],
                                struct error *error)
{
	bool is_changed;
	enum status status = split_all_inlined(images, groups, &is_changed, error);

	if (status != STATUS_OK || !is_changed)
		return status;
	status = pair_names(images, groups, error);
	if (status == STATUS_OK)
		status = split_moved_inlined(images, groups, error);
	return status == STATUS_OK ? pair_names(images, groups, error) : status;
}

static enum status pair_all(struct image *images[BUILD_COUNT], struct groups groups[BUILD_COUNT],
                            struct pairing *pairing, struct error *error)
{
	enum status status = pair_names(images, groups, error);

	if (status == STATUS_OK)
		status = pair_inlined(images, groups, error);
	if (status != STATUS_OK)
		return status;
	bool ok = pair_by_place(groups) && pair_by_code(groups) && fill_pairing(groups, pairing);
	return ok ? STATUS_OK : status_no_memory(error, images[BUILD_OLD]->path);
}

enum status pairing_find(struct image *old, struct image *new, struct pairing *pairing, struct error *error)
{
	struct image *images[BUILD_COUNT] = {old, new};
	struct groups groups[BUILD_COUNT] = {{.items = NULL}, {.items = NULL}};

	*pairing = (struct pairing){.pairs = NULL};
	enum status status = pair_all(images, groups, pairing, error);
	free_groups(groups);
	return status;
}

void pairing_free(struct pairing *pairing)
{
	for (enum build build = 0; build < BUILD_COUNT; build++) {
		free(pairing->owners[build]);
		free(pairing->pair_of[build]);
	}
	for (size_t i = 0; i < pairing->kept_count; i++)
		free(pairing->kept[i]);
	free(pairing->kept);
	free(pairing->pairs);
	*pairing = (struct pairing){.pairs = NULL};
}

size_t pairing_inlined_into(const struct pairing *pairing, const struct image *image, size_t pair, enum build build,
                            const char **names, size_t capacity)
{
	const size_t *pair_of = pairing->pair_of[build], *owners = pairing->owners[build];
	bool *contains_pair = calloc(image->function_count + 1, sizeof *contains_pair);
	size_t count = 0;

	for (size_t i = 0; contains_pair != NULL && i < image->function_count; i++)
		if (pair_of[i] == pair && pair_of[image_containing_function(image, i)] != pair)
			contains_pair[owners[image_containing_function(image, i)]] = true;
	for (size_t i = 0; contains_pair != NULL && i < image->function_count; i++) {
		if (!contains_pair[i])
			continue;
		if (count < capacity)
			names[count] = pairing->pairs[pair_of[i]].names[build];
		count++;
	}
	free(contains_pair);
	return count;
}

const char *pairing_how_text(enum pairing_how how)
{
	static const char *const texts[] = {
	        [PAIRED_BY_NAME] = NULL,
	        [PAIRED_BY_MOVED_NAME] = "by name alone",
	        [PAIRED_BY_CLONE] = "by name without suffix",
	        [PAIRED_BY_PLACE] = "by file and line",
	        [PAIRED_BY_CODE] = "by code",
	        [PAIRED_NOT] = NULL,
	};

	return texts[how];
}
