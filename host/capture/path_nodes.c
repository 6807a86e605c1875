/* SPDX-License-Identifier: MIT */
/*
 * The decoder of the path tree. The table may have its nodes in any order; they are sorted so that parents
 * come first, in time and memory proportional to the size of the table.
 */
#include "base/array.h"
#include "capture/count.h"
#include "capture/decoders.h"

#include <bareprof/block.h>
#include <stdlib.h>

/* Kinds of slots in addition to the kinds of nodes. */
#define KIND_FREE 0
#define KIND_BAD  0xFF

/* Values for slots that have no place. */
#define PLACE_UNKNOWN UINT32_MAX
#define PLACE_WALKED  (UINT32_MAX - 1) /* it is on the present walk */
#define PLACE_NONE    (UINT32_MAX - 2) /* it is bad, or below a bad node */
#define PLACE_MAX     (UINT32_MAX - 3)

struct sorter {
	const struct capture_path_node *slots; /* their parents are slots */
	uint32_t slot_count;
	uint32_t *places; /* by slot: its place among the sorted nodes, or PLACE_* */
	uint32_t *depths; /* by place */
	uint32_t *walk;   /* slots from a node up */
	struct capture_block *block;
};

static bool has_wide_nodes(const struct capture_section *section)
{
	return (section->parameter & BAREPROF_PATHS_WIDE) != 0;
}

static bool is_kind(unsigned kind)
{
	return kind == BAREPROF_PATH_IS_ROOT || kind == BAREPROF_PATH_IS_CALL || kind == BAREPROF_PATH_IS_LEAF;
}

/* Whether the node contradicts itself: only leaves count, and only roots have no parent. */
static bool is_bad(const struct capture_path_node *node)
{
	if (!is_kind(node->kind) || (node->kind != BAREPROF_PATH_IS_LEAF && node->count != 0))
		return true;
	if (node->kind == BAREPROF_PATH_IS_ROOT)
		return node->parent != UINT32_MAX || node->end >= BAREPROF_ENDS;
	return false;
}

static struct capture_path_node decode_narrow(const struct capture_order *order, const uint8_t *item, unsigned *flags)
{
	const unsigned width = order->address_size;
	const uint16_t parent = capture_u16(order, item + BAREPROF_PATH_PARENT(width));

	*flags = capture_u16(order, item + BAREPROF_PATH_FLAGS(width));
	return (struct capture_path_node){
	        .parent = parent == BAREPROF_PATH_NO_PARENT ? UINT32_MAX : parent,
	        .count = capture_u32(order, item + BAREPROF_PATH_COUNT(width)),
	};
}

static struct capture_path_node decode_wide(const struct capture_order *order, const uint8_t *item, unsigned *flags)
{
	const unsigned width = order->address_size;

	*flags = capture_u32(order, item + BAREPROF_WIDE_PATH_FLAGS(width));
	return (struct capture_path_node){
	        .parent = capture_u32(order, item + BAREPROF_WIDE_PATH_PARENT(width)),
	        .count = capture_u64(order, item + BAREPROF_WIDE_PATH_COUNT(width)),
	};
}

static struct capture_path_node decode_slot(const struct capture_order *order, const uint8_t *item, bool wide)
{
	unsigned flags;
	struct capture_path_node node = wide ? decode_wide(order, item, &flags) : decode_narrow(order, item, &flags);

	if (flags == 0 && node.count == 0)
		return (struct capture_path_node){.kind = KIND_FREE};
	node.key = capture_address(order, item + BAREPROF_PATH_KEY(order->address_size));
	node.kind = flags & (BAREPROF_PATH_IS_ROOT | BAREPROF_PATH_IS_CALL | BAREPROF_PATH_IS_LEAF);
	if (node.kind == BAREPROF_PATH_IS_ROOT) {
		node.end = BAREPROF_PATH_END(flags);
		node.key = (uint32_t)node.key; /* a context, or all ones for none */
	}
	if (is_bad(&node))
		node.kind = KIND_BAD;
	return node;
}

/*
 * Walks up from a slot to a root, or to a slot whose parent already has a place or PLACE_NONE. Returns the number of
 * slots on the walk. *place is the place of the last slot's parent, PLACE_NONE if it has no valid parent, or PLACE_MAX
 * if it is a root.
 */
static uint32_t walk_up(struct sorter *sorter, uint32_t slot, uint32_t *place)
{
	uint32_t length = 0;

	for (*place = PLACE_UNKNOWN; *place == PLACE_UNKNOWN;) {
		const struct capture_path_node *node = &sorter->slots[slot];

		sorter->places[slot] = PLACE_WALKED;
		sorter->walk[length++] = slot;
		if (node->kind == BAREPROF_PATH_IS_ROOT)
			*place = PLACE_MAX;
		else if (node->kind == KIND_BAD || node->kind == KIND_FREE || node->parent >= sorter->slot_count)
			*place = PLACE_NONE;
		else
			*place = sorter->places[slot = node->parent];
	}
	if (*place == PLACE_WALKED) /* a cycle */
		*place = PLACE_NONE;
	return length;
}

/* Places a node below the one at the place of its parent. */
static uint32_t place_below(struct sorter *sorter, const struct capture_path_node *slot, uint32_t parent)
{
	struct capture_block *block = sorter->block;
	struct capture_path_node *nodes = block->path_nodes;
	const uint32_t place = (uint32_t)block->path_node_count;
	const bool is_root = parent == PLACE_MAX;

	if (parent == PLACE_NONE || (!is_root && (nodes[parent].kind == BAREPROF_PATH_IS_LEAF ||
	                                          sorter->depths[parent] == CAPTURE_PATH_DEPTH_MAX)))
		return PLACE_NONE;
	nodes[place] = *slot;
	nodes[place].parent = is_root ? UINT32_MAX : parent;
	sorter->depths[place] = is_root ? 0 : sorter->depths[parent] + 1;
	block->path_node_count++;
	return place;
}

/* Places the slot after all slots above it that have no place yet. */
static void place_slot(struct sorter *sorter, uint32_t slot)
{
	uint32_t place, length = walk_up(sorter, slot, &place);

	while (length > 0) {
		const uint32_t next = sorter->walk[--length];

		place = place_below(sorter, &sorter->slots[next], place);
		sorter->places[next] = place;
	}
}

static void sort_slots(struct sorter *sorter)
{
	struct capture_block *block = sorter->block;

	for (uint32_t i = 0; i < sorter->slot_count; i++)
		sorter->places[i] = PLACE_UNKNOWN;
	for (uint32_t i = 0; i < sorter->slot_count; i++) {
		if (sorter->slots[i].kind == KIND_FREE)
			continue;
		if (sorter->places[i] == PLACE_UNKNOWN)
			place_slot(sorter, i);
		count_add(&block->path_nodes_bad, sorter->places[i] == PLACE_NONE);
	}
}

static void decode_slots(struct block_decoder *decoder, const struct capture_section *section,
                         struct capture_path_node *slots)
{
	const bool wide = has_wide_nodes(section);

	for (uint32_t i = 0; i < section->capacity; i++) {
		slots[i] = decode_slot(&decoder->block->header.order,
		                       decoder->bytes + section->offset + (size_t)i * section->item_size, wide);
		decoder->block->cells_saturated += counter_is_saturated(slots[i].count, wide ? 8 : 4);
	}
}

static enum status decode_tree(struct block_decoder *decoder, const struct capture_section *section)
{
	struct scratch scratch = {0};
	struct capture_path_node *slots = scratch_array(&scratch, section->capacity, sizeof *slots);
	struct sorter sorter = {
	        .slots = slots,
	        .slot_count = section->capacity,
	        .places = scratch_array(&scratch, section->capacity, sizeof(uint32_t)),
	        .depths = scratch_array(&scratch, section->capacity, sizeof(uint32_t)),
	        .walk = scratch_array(&scratch, section->capacity, sizeof(uint32_t)),
	        .block = decoder->block,
	};

	if (!scratch.is_short_of_memory) {
		decode_slots(decoder, section, slots);
		sort_slots(&sorter);
	}
	scratch_free(&scratch);
	return scratch.is_short_of_memory ? status_no_memory(decoder->error, decoder->where) : STATUS_OK;
}

enum status decode_path_nodes(struct block_decoder *decoder, const struct capture_section *section)
{
	struct capture_block *block = decoder->block;
	const unsigned width = block->header.order.address_size;
	const unsigned item_size_min =
	        has_wide_nodes(section) ? BAREPROF_WIDE_PATH_SIZE(width) : BAREPROF_PATH_SIZE(width);

	if (section->item_size < item_size_min)
		return status_fail(decoder->error, "%s: offset 0x%x: path nodes of %u bytes, expected at least %u",
		                   decoder->where, section->offset, section->item_size, item_size_min);
	block->has_stack_totals = true;
	block->path_node_capacity = section->capacity;
	block->path_nodes = calloc(section->capacity + (size_t)1, sizeof *block->path_nodes);
	if (block->path_nodes == NULL)
		return status_no_memory(decoder->error, decoder->where);
	return section->used > 0 ? decode_tree(decoder, section) : STATUS_OK;
}
