/* SPDX-License-Identifier: MIT */
/* Sums of path trees. A hash table finds a node by its parent and its key. */
#include "base/search.h"
#include "capture/count.h"
#include "capture/mix.h"
#include "capture/stacks.h"

#include <stdlib.h>
#include <string.h>

#define SLOTS_MIN 512
#define NO_NODE   UINT32_MAX

void path_tree_free(struct path_tree *tree)
{
	free(tree->nodes);
	free(tree->slots);
}

static uint64_t hash(const struct path_tree *tree, const struct capture_path_node *node)
{
	uint64_t below = mix_bits(tree->seed + node->parent);

	return mix_bits(below + node->key + ((uint64_t)node->kind << 8 | node->end) * UINT64_C(0x9E3779B97F4A7C15));
}

static bool is_same_node(const struct capture_path_node *left, const struct capture_path_node *right)
{
	return left->parent == right->parent && left->key == right->key && left->kind == right->kind &&
	       left->end == right->end;
}

/* The slot of this node, or else a free slot for it. */
static uint32_t *find(const struct path_tree *tree, const struct capture_path_node *node)
{
	const size_t mask = tree->slot_count - 1;
	size_t slot = hash(tree, node) & mask;

	while (tree->slots[slot] != 0 && !is_same_node(&tree->nodes[tree->slots[slot] - 1], node))
		slot = (slot + 1) & mask;
	return &tree->slots[slot];
}

/* Twice as many slots, and room for half as many nodes. */
static bool grow(struct path_tree *tree)
{
	const size_t slot_count = tree->slot_count == 0 ? SLOTS_MIN : 2 * tree->slot_count;
	uint32_t *slots = slot_count / 2 < NO_NODE ? calloc(slot_count, sizeof *slots) : NULL;
	struct capture_path_node *nodes = reallocarray(tree->nodes, slot_count / 2, sizeof *nodes);

	tree->nodes = nodes != NULL ? nodes : tree->nodes;
	if (slots == NULL || nodes == NULL) {
		free(slots);
		return false;
	}
	free(tree->slots);
	tree->slots = slots;
	tree->slot_count = slot_count;
	/* The address differs from run to run, so that no file can be crafted whose nodes all collide. */
	tree->seed = (uintptr_t)slots;
	for (size_t i = 0; i < tree->count; i++)
		*find(tree, &tree->nodes[i]) = (uint32_t)i + 1;
	return true;
}

/* Adds a node whose parent is one of this tree. Returns its index; NO_NODE when out of memory. */
static uint32_t add_node(struct path_tree *tree, const struct capture_path_node *node)
{
	if (tree->count == tree->slot_count / 2 && !grow(tree))
		return NO_NODE;
	uint32_t *slot = find(tree, node);
	if (*slot != 0) {
		count_add(&tree->nodes[*slot - 1].count, node->count);
		return *slot - 1;
	}
	tree->nodes[tree->count++] = *node;
	*slot = (uint32_t)tree->count;
	return *slot - 1;
}

bool path_tree_add(struct path_tree *tree, const struct capture_path_node *nodes, size_t count)
{
	uint32_t *places = calloc(count + 1, sizeof *places);
	bool has_memory = places != NULL;

	for (size_t i = 0; has_memory && i < count; i++) {
		struct capture_path_node node = nodes[i];

		node.parent = node.parent == UINT32_MAX ? UINT32_MAX : places[node.parent];
		places[i] = add_node(tree, &node);
		has_memory = places[i] != NO_NODE;
	}
	free(places);
	return has_memory;
}

/* A node with its place in the order before it is sorted. */
struct sorted_node {
	struct capture_path_node node;
	uint32_t depth, old;
};

/* By depth; at the same depth by parent, whose order is known by then, and by the rest of the key. */
static int compare_nodes(const void *left, const void *right)
{
	const struct capture_path_node *a = &((const struct sorted_node *)left)->node,
	                               *b = &((const struct sorted_node *)right)->node;

	if (a->parent != b->parent)
		return compare_numbers(a->parent, b->parent);
	if (a->kind != b->kind)
		return compare_numbers(a->kind, b->kind);
	if (a->key != b->key)
		return compare_numbers(a->key, b->key);
	return compare_numbers(a->end, b->end);
}

static int compare_depths(const void *left, const void *right)
{
	const struct sorted_node *a = left, *b = right;

	return a->depth != b->depth ? compare_numbers(a->depth, b->depth) : compare_numbers(a->old, b->old);
}

/* Sorts the levels one after the other: the parents of a level have their places before it is sorted. */
static void sort_levels(struct path_tree *tree, struct sorted_node *sorted, uint32_t *places)
{
	for (size_t first = 0, end; first < tree->count; first = end) {
		for (end = first; end < tree->count && sorted[end].depth == sorted[first].depth; end++)
			if (sorted[end].depth > 0)
				sorted[end].node.parent = places[sorted[end].node.parent];
		qsort(sorted + first, end - first, sizeof *sorted, compare_nodes);
		for (size_t i = first; i < end; i++) {
			places[sorted[i].old] = (uint32_t)i;
			tree->nodes[i] = sorted[i].node;
		}
	}
}

bool path_tree_sort(struct path_tree *tree)
{
	struct sorted_node *sorted = calloc(tree->count + 1, sizeof *sorted);
	uint32_t *places = calloc(tree->count + 1, sizeof *places);
	const bool has_memory = sorted != NULL && places != NULL;

	for (size_t i = 0; has_memory && i < tree->count; i++) {
		const struct capture_path_node *node = &tree->nodes[i];
		const uint32_t depth = node->parent == UINT32_MAX ? 0 : sorted[node->parent].depth + 1;

		sorted[i] = (struct sorted_node){*node, depth, (uint32_t)i};
	}
	if (has_memory && tree->count > 0) {
		qsort(sorted, tree->count, sizeof *sorted, compare_depths);
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
static bool drop_empty(struct path_tree *tree)
{
	uint32_t *places = calloc(tree->count + 1, sizeof *places);

	if (places == NULL)
		return false;
	for (size_t i = tree->count; i-- > 0;) {
		places[i] |= tree->nodes[i].count > 0;
		if (places[i] != 0 && tree->nodes[i].parent != UINT32_MAX)
			places[tree->nodes[i].parent] = 1;
	}
	tree->count = paths_keep(tree->nodes, tree->count, places, tree->nodes);
	free(places);
	return true;
}

/* The tree holds the earlier paths. Replaces their counts by what was added since. */
static bool subtract(struct path_tree *tree, const struct capture_block *block, bool *has_grown)
{
	const size_t count = tree->count;
	uint64_t *before = calloc(count + 1, sizeof *before);
	bool has_memory = before != NULL;

	for (size_t i = 0; has_memory && i < count; i++) {
		before[i] = tree->nodes[i].count;
		tree->nodes[i].count = 0;
	}
	has_memory = has_memory && path_tree_add(tree, block->path_nodes, block->path_node_count);
	for (size_t i = 0; has_memory && i < count; i++) {
		*has_grown = *has_grown && tree->nodes[i].count >= before[i];
		tree->nodes[i].count -= before[i];
	}
	free(before);
	return has_memory;
}

bool paths_since(const struct capture_block *block, const struct capture_block *earlier, struct path_tree *tree,
                 bool *has_grown)
{
	*has_grown = true;
	return path_tree_add(tree, earlier->path_nodes, earlier->path_node_count) && subtract(tree, block, has_grown) &&
	       drop_empty(tree);
}
