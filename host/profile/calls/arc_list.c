/* SPDX-License-Identifier: MIT */
/* See arc_list.h. Nodes and sequence numbers are dense, so all sorts are counting sorts: a pass per key, the last key
 * first. */
#include "profile/calls/arc_list.h"

#include "base/array.h"
#include "capture/count.h"

#include <stdlib.h>
#include <string.h>

bool arc_list_reserve(struct arc_list *list, size_t more)
{
	if (more <= list->capacity - list->count)
		return true;
	size_t capacity = list->count + more;
	struct profile_arc *items = realloc(list->items, capacity * sizeof *items);
	if (items == NULL)
		return false;
	list->items = items;
	list->capacity = capacity;
	return true;
}

static struct filter_symbol symbol_of(const struct profile_node *node)
{
	return (struct filter_symbol){.name = node->name, .file = node->file, .line = node->line};
}

static bool is_arc_wanted(const struct profile *profile, const struct profile_arc *arc)
{
	if (profile->filters == NULL || filters_arc_rule_count(profile->filters) == 0)
		return true;
	const struct filter_symbol caller = symbol_of(&profile->nodes[arc->caller]);
	const struct filter_symbol callee = symbol_of(&profile->nodes[arc->callee]);
	return filters_want_arc(profile->filters, &caller, &callee);
}

bool arc_list_add(struct arc_list *list, const struct profile *profile, struct profile_arc arc)
{
	if (!is_arc_wanted(profile, &arc))
		return true;
	if (list->count == list->capacity && !arc_list_reserve(list, list->capacity / 2 + 64))
		return false;
	list->items[list->count++] = arc;
	return true;
}

static int compare_sequences(const void *left, const void *right)
{
	const struct profile_arc *a = left, *b = right;

	return (a->sequence > b->sequence) - (a->sequence < b->sequence);
}

bool arc_list_add_present(struct arc_list *list, const struct profile *profile)
{
	bool ok = arc_list_reserve(list, profile->arc_count);

	for (size_t i = 0; ok && i < profile->arc_count; i++)
		ok = arc_list_add(list, profile, profile->arcs[i]);
	if (ok && list->count > 0)
		qsort(list->items, list->count, sizeof *list->items, compare_sequences);
	return ok;
}

/* A sort key: dense numbers below some limit. */
typedef size_t (*arc_key)(const struct profile_arc *arc);

static size_t key_of_caller(const struct profile_arc *arc)
{
	return arc->caller;
}

static size_t key_of_callee(const struct profile_arc *arc)
{
	return arc->callee;
}

/* Finds where the arcs of each key begin: limit + 1 places. */
static void find_starts(const struct profile_arc *arcs, size_t count, arc_key key, size_t *starts, size_t limit)
{
	memset(starts, 0, (limit + 1) * sizeof *starts);
	for (size_t i = 0; i < count; i++)
		starts[key(&arcs[i]) + 1]++;
	for (size_t i = 1; i <= limit; i++)
		starts[i] += starts[i - 1];
}

/* Sorts indices of arcs from into to, stably. starts is working memory for limit + 1 places. */
static void sort_by(const struct profile_arc *arcs, const uint32_t *from, uint32_t *to, size_t count, arc_key key,
                    size_t *starts, size_t limit)
{
	find_starts(arcs, count, key, starts, limit);
	for (size_t i = 0; i < count; i++)
		to[starts[key(&arcs[from[i]])]++] = from[i];
}

/* Moves the arc at order[i] to i, for each i. order is a permutation, and is destroyed. */
static void permute_arcs(struct profile_arc *arcs, uint32_t *order, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		const struct profile_arc first = arcs[i];
		size_t place = i;

		while (order[place] != i) {
			size_t next = order[place];

			arcs[place] = arcs[next];
			order[place] = (uint32_t)place;
			place = next;
		}
		arcs[place] = first;
		order[place] = (uint32_t)place;
	}
}

static void add_equal_arc(struct profile_arc *sum, const struct profile_arc *arc)
{
	count_add(&sum->count, arc->count);
	sum->sequence = arc->sequence < sum->sequence ? arc->sequence : sum->sequence;
	sum->is_static |= arc->is_static;
	sum->is_inlined |= arc->is_inlined;
	sum->is_indirect &= arc->is_indirect;
	sum->via = sum->via != NULL ? sum->via : arc->via;
}

/* Merges arcs with the same caller and callee, which are adjacent; returns how many are left. */
static size_t merge_equal_arcs(struct profile_arc *arcs, size_t count)
{
	size_t kept = 0;

	for (size_t i = 0; i < count; i++) {
		struct profile_arc *last = kept > 0 ? &arcs[kept - 1] : NULL;

		if (last != NULL && last->caller == arcs[i].caller && last->callee == arcs[i].callee)
			add_equal_arc(last, &arcs[i]);
		else
			arcs[kept++] = arcs[i];
	}
	return kept;
}

/* Orders arcs by falling sequence; sequences are unique and below limit. */
static size_t scatter_last_first(const struct profile_arc *arcs, size_t count, uint32_t *ordered, size_t limit)
{
	size_t kept = 0;

	memset(ordered, 0xFF, limit * sizeof *ordered);
	for (size_t i = 0; i < count; i++)
		ordered[limit - 1 - arcs[i].sequence] = (uint32_t)i;
	for (size_t i = 0; i < limit; i++)
		if (ordered[i] != UINT32_MAX)
			ordered[kept++] = ordered[i];
	return kept;
}

static void count_calls_of_nodes(struct profile *profile)
{
	for (size_t i = 0; i < profile->arc_count; i++) {
		const struct profile_arc *arc = &profile->arcs[i];
		struct profile_node *callee = &profile->nodes[arc->callee];

		if (arc->caller == arc->callee)
			callee->self_calls = arc->count;
		else
			count_add(&callee->calls, arc->count);
	}
}

/* Memory for sorting: two indices for each arc, which is less than a copy of the arc, and one for each node. */
struct work {
	uint32_t *ordered, *sorted;
	size_t *places; /* node_count + 1 */
	struct scratch scratch;
};

static bool allocate_arc_indexes(struct work *work, struct profile *profile, size_t count)
{
	size_t nodes = profile->node_count + 2;

	work->ordered = scratch_array(&work->scratch, count, sizeof *work->ordered);
	work->sorted = scratch_array(&work->scratch, count, sizeof *work->sorted);
	work->places = scratch_array(&work->scratch, nodes, sizeof *work->places);
	profile->first_arc = calloc(nodes, sizeof *profile->first_arc);
	profile->first_parent = calloc(nodes, sizeof *profile->first_parent);
	profile->parent_arcs = calloc(count + 1, sizeof *profile->parent_arcs);
	return !work->scratch.is_short_of_memory && profile->first_arc != NULL && profile->first_parent != NULL &&
	       profile->parent_arcs != NULL;
}

/* Orders the arcs by caller, and the arcs of each caller in the profile's order. */
static void order_children(struct profile *profile, struct work *work, size_t limit)
{
	size_t count = profile->arc_count;

	if (profile->arc_order == PROFILE_BY_NODE)
		return;
	scatter_last_first(profile->arcs, count, work->ordered, limit);
	sort_by(profile->arcs, work->ordered, work->sorted, count, key_of_caller, work->places, profile->node_count);
	permute_arcs(profile->arcs, work->sorted, count);
}

/* Orders the indices of arcs by callee. */
static void order_parents(struct profile *profile, struct work *work, size_t limit)
{
	size_t count = profile->arc_count;

	if (profile->arc_order == PROFILE_LAST_FIRST)
		scatter_last_first(profile->arcs, count, work->ordered, limit);
	else
		for (size_t i = 0; i < count; i++)
			work->ordered[i] = (uint32_t)i;
	find_starts(profile->arcs, count, key_of_callee, profile->first_parent, profile->node_count);
	memcpy(work->places, profile->first_parent, (profile->node_count + 1) * sizeof *work->places);
	for (size_t i = 0; i < count; i++) {
		uint32_t arc = work->ordered[i];

		profile->parent_arcs[work->places[profile->arcs[arc].callee]++] = arc;
	}
}

static void forget_arcs(struct profile *profile)
{
	free(profile->arcs);
	free(profile->first_arc);
	free(profile->first_parent);
	free(profile->parent_arcs);
	profile->arcs = NULL;
	profile->first_arc = profile->first_parent = NULL;
	profile->parent_arcs = NULL;
	profile->arc_count = 0;
	for (size_t i = 0; i < profile->node_count; i++)
		profile->nodes[i].calls = profile->nodes[i].self_calls = 0;
}

enum status arc_list_finish(struct arc_list *list, struct profile *profile, struct error *error)
{
	struct work work = {0};
	size_t limit = list->count;

	forget_arcs(profile);
	if (limit >= UINT32_MAX || profile->node_count >= UINT32_MAX || !allocate_arc_indexes(&work, profile, limit) ||
	    !arc_list_reserve(list, 1)) {
		scratch_free(&work.scratch);
		return status_no_memory(error, profile->image->path);
	}
	for (size_t i = 0; i < limit; i++)
		list->items[i].sequence = work.ordered[i] = (uint32_t)i;
	sort_by(list->items, work.ordered, work.sorted, limit, key_of_callee, work.places, profile->node_count);
	sort_by(list->items, work.sorted, work.ordered, limit, key_of_caller, work.places, profile->node_count);
	permute_arcs(list->items, work.ordered, limit);
	profile->arcs = list->items;
	profile->arc_count = merge_equal_arcs(list->items, limit);
	*list = (struct arc_list){0};
	order_children(profile, &work, limit);
	find_starts(profile->arcs, profile->arc_count, key_of_caller, profile->first_arc, profile->node_count);
	order_parents(profile, &work, limit);
	count_calls_of_nodes(profile);
	scratch_free(&work.scratch);
	return STATUS_OK;
}
