/* SPDX-License-Identifier: MIT */
/* See inlined.h. */
#include "diff/pairing/inlined.h"

#include "base/array.h"
#include "base/search.h"
#include "firmware/calls/calls.h"

#include <stdlib.h>

/* --- Functions to split off, by name. */

struct name_list {
	const char **items;
	size_t count;
	bool is_short_of_memory;
};

static void append_name(struct name_list *names, const char *name)
{
	names->is_short_of_memory |= !array_append(&names->items, &names->count, &name, sizeof name);
}

/* Splits in both builds; otherwise code would seem to have moved. */
static enum status split_names(struct image *images[BUILD_COUNT], const struct name_list *names, struct error *error)
{
	enum status status = names->is_short_of_memory ? status_no_memory(error, images[BUILD_OLD]->path) : STATUS_OK;

	for (enum build build = 0; build < BUILD_COUNT && status == STATUS_OK; build++)
		status = image_split_inlined(images[build], names->items, names->count, error);
	return status;
}

static bool has_splits(const struct image *image)
{
	for (size_t i = 0; i < image->function_count; i++)
		if (image->functions[i].inlined_into != IMAGE_NOT_INLINED)
			return true;
	return false;
}

enum status split_all_inlined(struct image *images[BUILD_COUNT], const struct groups groups[BUILD_COUNT],
                              bool *is_changed, struct error *error)
{
	struct name_list names = {.items = NULL};

	for (enum build build = 0; build < BUILD_COUNT; build++)
		for (size_t i = 0; i < groups[build].count; i++)
			append_name(&names, groups[build].items[i].main->name);
	enum status status = split_names(images, &names, error);
	free(names.items);
	*is_changed = has_splits(images[BUILD_OLD]) || has_splits(images[BUILD_NEW]);
	return status;
}

/* --- Uses of functions by others. */

/* The ways in which one function uses another. If it calls it several times, it may use both. */
#define USE_INLINED 1u
#define USE_CALLED  2u

/* Groups are numbered so that both groups of a pair have the same number. Callers without a partner share one number,
 * because a renamed function is paired only later. */
struct use {
	size_t callee, caller;
	unsigned kinds[BUILD_COUNT];
};

struct uses {
	const struct groups *groups; /* groups of both builds */
	struct use *items;
	size_t count;
	bool is_short_of_memory;
	/* By number: whether the function calls through pointers, and whether pointers may lead to it. */
	bool *calls_pointers[BUILD_COUNT], *is_pointed_to[BUILD_COUNT];
	struct scratch scratch;
};

/* The number shared by all callers without a partner, which is the highest. */
static size_t number_of_unpaired(const struct uses *uses)
{
	return uses->groups[BUILD_OLD].count + uses->groups[BUILD_NEW].count;
}

static size_t number_of_group(const struct uses *uses, const struct pairing_group *group)
{
	const struct pairing_group *one = group->build == BUILD_NEW && group->partner != NULL ? group->partner : group;
	size_t index = (size_t)(one - uses->groups[one->build].items);

	return one->build == BUILD_OLD ? index : uses->groups[BUILD_OLD].count + index;
}

static size_t number_of_caller(const struct uses *uses, const struct pairing_group *group)
{
	return group->partner == NULL ? number_of_unpaired(uses) : number_of_group(uses, group);
}

static const struct pairing_group *group_of_function(const struct groups *groups, size_t function)
{
	return &groups->items[groups->group_of[groups->image->functions[function].first]];
}

/* Adds a use between two ranges of the image's functions, unless both belong to the same function. */
static void add_use(struct uses *uses, enum build build, size_t caller, size_t callee, unsigned kind)
{
	const struct groups *groups = &uses->groups[build];
	struct use use = {
	        .callee = number_of_group(uses, group_of_function(groups, callee)),
	        .caller = number_of_caller(uses, group_of_function(groups, caller)),
	};

	if (use.callee == use.caller)
		return;
	use.kinds[build] = kind;
	uses->is_short_of_memory |= !array_append(&uses->items, &uses->count, &use, sizeof use);
}

static void add_inlined_uses(struct uses *uses, enum build build)
{
	const struct image *image = uses->groups[build].image;

	for (size_t i = 0; i < image->function_count; i++)
		if (image->functions[i].inlined_into != IMAGE_NOT_INLINED && image->functions[i].first == i)
			add_use(uses, build, image->functions[i].inlined_into, i, USE_INLINED);
}

static void add_use_by_call(struct uses *uses, enum build build, const struct call *call)
{
	const struct image *image = uses->groups[build].image;
	const struct image_function *caller = image_function_at(image, call->site);
	const struct image_function *callee = image_function_at(image, call->target);
	const struct groups *groups = &uses->groups[build];
	bool is_entry = callee != NULL && callee->start == call->target;
	size_t from = caller == NULL ? 0 : (size_t)(caller - image->functions);
	size_t to = callee == NULL ? 0 : (size_t)(callee - image->functions);

	if (call->kind == CALL_INDIRECT && caller != NULL)
		uses->calls_pointers[build][number_of_caller(uses, group_of_function(groups, from))] = true;
	else if (call->kind == CALL_ADDRESS && is_entry)
		uses->is_pointed_to[build][number_of_group(uses, group_of_function(groups, to))] = true;
	else if (is_entry && caller != NULL)
		add_use(uses, build, from, to, USE_CALLED);
}

/* Adds uses by calls. Without a decoder it is unknown whether a caller inlined only some of its calls. */
static enum status add_uses_by_calls(struct uses *uses, enum build build, struct error *error)
{
	const struct image *image = uses->groups[build].image;
	struct calls calls;
	enum status status = calls_find(image, &calls, error);

	for (size_t i = 0; i < calls.count && status == STATUS_OK; i++)
		add_use_by_call(uses, build, &calls.items[i]);
	calls_free(&calls);
	return status;
}

static int compare_uses(const void *left, const void *right)
{
	const struct use *a = left, *b = right;

	return a->callee != b->callee ? compare_numbers(a->callee, b->callee) : compare_numbers(a->caller, b->caller);
}

/* One use for each caller and callee. */
static void merge_equal_uses(struct uses *uses)
{
	size_t kept = 0;

	if (uses->count > 0)
		qsort(uses->items, uses->count, sizeof *uses->items, compare_uses);
	for (size_t i = 0; i < uses->count; i++) {
		const struct use use = uses->items[i];

		if (kept == 0 || compare_uses(&uses->items[kept - 1], &use) != 0) {
			uses->items[kept++] = use;
			continue;
		}
		for (enum build build = 0; build < BUILD_COUNT; build++)
			uses->items[kept - 1].kinds[build] |= use.kinds[build];
	}
	uses->count = kept;
}

static enum status find_uses(struct uses *uses, struct error *error)
{
	size_t count = number_of_unpaired(uses) + 1;
	enum status status = STATUS_OK;

	for (enum build build = 0; build < BUILD_COUNT; build++) {
		uses->calls_pointers[build] = scratch_array(&uses->scratch, count, sizeof(bool));
		uses->is_pointed_to[build] = scratch_array(&uses->scratch, count, sizeof(bool));
	}
	for (enum build build = 0; build < BUILD_COUNT && status == STATUS_OK && !uses->scratch.is_short_of_memory;
	     build++) {
		add_inlined_uses(uses, build);
		status = add_uses_by_calls(uses, build, error);
	}
	if (status == STATUS_OK && (uses->is_short_of_memory || uses->scratch.is_short_of_memory))
		status = status_no_memory(error, uses->groups[BUILD_OLD].image->path);
	merge_equal_uses(uses);
	return status;
}

/* --- Which functions are inlined differently. */

/* How one build uses the callee. A call through a pointer may lead to any function whose address is taken. */
static unsigned kinds_in(const struct uses *uses, const struct use *use, enum build build)
{
	bool may_call = uses->calls_pointers[build][use->caller] && uses->is_pointed_to[build][use->callee];

	return use->kinds[build] == 0 && may_call ? USE_CALLED : use->kinds[build];
}

/*
 * Whether the builds use the callee in different ways, such as a call in one build and inlined code in the other. If a
 * build does neither, the caller no longer uses the callee, or the compiler mixed the code of both so that DWARF cannot
 * separate them. A split would then make the callee seem gone and the caller grown.
 */
static bool uses_differ(const struct uses *uses, const struct use *use)
{
	unsigned old = kinds_in(uses, use, BUILD_OLD), new = kinds_in(uses, use, BUILD_NEW);

	return old != 0 && new != 0 && old != new;
}

/* Whether both builds have the function, and at least one has it as a separate function; otherwise it has no row. */
static bool is_comparable(const struct pairing_group *group)
{
	return group->partner != NULL && !(group_is_inlined(group) && group_is_inlined(group->partner));
}

static void add_differently_inlined(struct name_list *names, const struct uses *uses)
{
	const struct groups *old = &uses->groups[BUILD_OLD];

	for (size_t i = 0, next = 0; i < old->count; i++) {
		const struct pairing_group *group = &old->items[i];
		bool is_different =
		        group->partner != NULL && group_is_inlined(group) != group_is_inlined(group->partner);

		for (; next < uses->count && uses->items[next].callee == i; next++)
			is_different |= uses_differ(uses, &uses->items[next]);
		if (!is_different || !is_comparable(group))
			continue;
		append_name(names, group->main->name);
		append_name(names, group->partner->main->name);
	}
}

enum status split_moved_inlined(struct image *images[BUILD_COUNT], const struct groups groups[BUILD_COUNT],
                                struct error *error)
{
	struct uses uses = {.groups = groups};
	struct name_list names = {.items = NULL};
	enum status status = find_uses(&uses, error);

	if (status == STATUS_OK) {
		add_differently_inlined(&names, &uses);
		status = split_names(images, &names, error);
	}
	free(names.items);
	free(uses.items);
	scratch_free(&uses.scratch);
	return status;
}
