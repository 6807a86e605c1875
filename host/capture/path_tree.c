/* SPDX-License-Identifier: MIT */
/* Sums of path trees. */
#include "base/search.h"
#include "capture/count.h"
#include "capture/mix.h"
#include "capture/stacks.h"

#include <stdlib.h>
#include <string.h>

static uint64_t hash_path_node(const void *item, uint64_t seed)
{
	const struct capture_path_node *node = item;
	uint64_t above = mix_bits(seed + node->parent);

	return mix_bits(mix_bits(above + node->key) + ((uint64_t)node->kind << 8 | node->end));
}

static int compare_path_nodes(const void *left, const void *right)
{
	const struct capture_path_node *a = left, *b = right;

	if (a->parent != b->parent)
		return compare_numbers(a->parent, b->parent);
	if (a->kind != b->kind)
		return compare_numbers(a->kind, b->kind);
	if (a->key != b->key)
		return compare_numbers(a->key, b->key);
	return compare_numbers(a->end, b->end);
}

static void add_path_node_count(void *sum, const void *item)
{
	const struct capture_path_node *node = item;

	count_add(&((struct capture_path_node *)sum)->count, node->count);
}

static const struct tally_kind node_kind = {sizeof(struct capture_path_node), hash_path_node, compare_path_nodes,
                                            add_path_node_count};

bool path_tree_add(struct tally *tree, const struct capture_path_node *nodes, size_t count)
{
	uint32_t *places = calloc(count + 1, sizeof *places);
	bool has_memory = places != NULL;

	tree->kind = &node_kind;
	for (size_t i = 0; has_memory && i < count; i++) {
		struct capture_path_node node = nodes[i];

		node.parent = node.parent == UINT32_MAX ? UINT32_MAX : places[node.parent];
		places[i] = tally_add_item(tree, &node);
		has_memory = places[i] != TALLY_FULL;
	}
	free(places);
	return has_memory;
}

/* A node with its place before sorting. */
struct sorted_node {
	struct capture_path_node node; /* first, for compare_path_nodes() */
	uint32_t depth, old;
};

static int compare_node_depths(const void *left, const void *right)
{
	const struct sorted_node *a = left, *b = right;

	return a->depth != b->depth ? compare_numbers(a->depth, b->depth) : compare_numbers(a->old, b->old);
}

/* Sorts the levels one after the other, by parent: the parents of a level have their places before it is sorted. */
static void sort_levels(struct tally *tree, struct sorted_node *sorted, uint32_t *places)
{
	struct capture_path_node *nodes = tree->items;

	for (size_t first = 0, end; first < tree->count; first = end) {
		for (end = first; end < tree->count && sorted[end].depth == sorted[first].depth; end++)
			if (sorted[end].depth > 0)
				sorted[end].node.parent = places[sorted[end].node.parent];
		qsort(sorted + first, end - first, sizeof *sorted, compare_path_nodes);
		for (size_t i = first; i < end; i++) {
			places[sorted[i].old] = (uint32_t)i;
			nodes[i] = sorted[i].node;
		}
	}
}

bool path_tree_sort(struct tally *tree)
{
	struct sorted_node *sorted = calloc(tree->count + 1, sizeof *sorted);
	uint32_t *places = calloc(tree->count + 1, sizeof *places);
	const struct capture_path_node *node = tree->items;
	const bool has_memory = sorted != NULL && places != NULL;

	for (size_t i = 0; has_memory && i < tree->count; i++, node++) {
		const uint32_t depth = node->parent == UINT32_MAX ? 0 : sorted[node->parent].depth + 1;

		sorted[i] = (struct sorted_node){*node, depth, (uint32_t)i};
	}
	if (has_memory && tree->count > 0) {
		qsort(sorted, tree->count, sizeof *sorted, compare_node_depths);
		sort_levels(tree, sorted, places);
	}
	free(sorted);
	free(places);
	return has_memory;
}

size_t paths_keep(const struct capture_path_node *nodes, size_t count, uint32_t *places, struct capture_path_node *kept)
{
	size_t kept_count = 0;

	for (size_t i = 0; i < count; i++) {
		if (places[i] == 0)
			continue;
		struct capture_path_node node = nodes[i];
		if (node.parent != UINT32_MAX)
			node.parent = places[node.parent];
		places[i] = (uint32_t)kept_count;
		kept[kept_count++] = node;
	}
	return kept_count;
}

/* Drops nodes below which nothing was counted. */
static bool drop_empty(struct tally *tree)
{
	uint32_t *places = calloc(tree->count + 1, sizeof *places);
	struct capture_path_node *nodes = tree->items;

	if (places == NULL)
		return false;
	for (size_t i = tree->count; i-- > 0;) {
		places[i] |= nodes[i].count > 0;
		if (places[i] != 0 && nodes[i].parent != UINT32_MAX)
			places[nodes[i].parent] = 1;
	}
	tree->count = paths_keep(nodes, tree->count, places, nodes);
	free(places);
	return true;
}

/* Replaces the counts of the earlier paths, which the tree holds, by the counts that were added since then. */
static bool subtract_earlier_paths(struct tally *tree, const struct capture_block *block, bool *has_grown)
{
	const size_t count = tree->count;
	uint64_t *before = calloc(count + 1, sizeof *before);
	bool has_memory = before != NULL;
	struct capture_path_node *nodes = tree->items;

	for (size_t i = 0; has_memory && i < count; i++) {
		before[i] = nodes[i].count;
		nodes[i].count = 0;
	}
	has_memory = has_memory && path_tree_add(tree, block->path_nodes, block->path_node_count);
	nodes = tree->items;
	for (size_t i = 0; has_memory && i < count; i++) {
		*has_grown = *has_grown && nodes[i].count >= before[i];
		nodes[i].count -= before[i];
	}
	free(before);
	return has_memory;
}

bool paths_since(const struct capture_block *block, const struct capture_block *earlier, struct tally *tree,
                 bool *has_grown)
{
	*has_grown = true;
	return path_tree_add(tree, earlier->path_nodes, earlier->path_node_count) &&
	       subtract_earlier_paths(tree, block, has_grown) && drop_empty(tree);
}
