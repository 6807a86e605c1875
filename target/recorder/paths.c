/* SPDX-License-Identifier: MIT */
/*
 * The path tree: a hash table of nodes. The node of a call is below that of the call further out. Only the sampling
 * interrupt writes the table. A node is complete before its children are added; its flags are written last, and the
 * count of a leaf after these.
 */
#include "recorder.h"

#if BAREPROF_PATHS != 0

#include "callers.h"
#include "counter.h"
#include "paths.h"
#include "stack.h"

#define PROBES_MAX 16u
#define NO_NODE    BAREPROF_PATH_NO_PARENT

static inline const struct callers_table *unwind_table(void)
{
	return (const struct callers_table *)bareprof_unwind_place.table;
}

bool bareprof_paths_have_table(const struct header *header)
{
	const uint32_t identity = bareprof_callers_crc(header->identity, header->identity_size);

	return bareprof_callers_table_is_valid(unwind_table(), bareprof_unwind_place.size, identity);
}

uint32_t bareprof_paths_table_crc(const volatile struct header *header)
{
	return header->has_table != 0 ? unwind_table()->crc : 0;
}

/* Returns the index of a node, which is added if it is new. NO_NODE if all slots that it may have are taken. */
static uint32_t find_node(volatile struct path_node *nodes, uint32_t parent, uintptr_t key, uint32_t flags)
{
	const uint32_t mask = bareprof_layout.sections[BAREPROF_DIRECTORY_PATHS].capacity - 1u;
	uint32_t index = ((uint32_t)(key >> 1) + parent * 37u) & mask;

	for (uint32_t probes = PROBES_MAX; probes != 0; probes--) {
		volatile struct path_node *node = &nodes[index];

		if (node->flags == 0) {
			node->key = key;
			node->parent = (uint16_t)parent;
			node->flags = (uint16_t)flags;
			return index;
		}
		if (node->key == key && node->parent == parent && node->flags == flags)
			return index;
		index = (index + ((uint32_t)(key >> 4) | 1u)) & mask;
	}
	return NO_NODE;
}

/* Adds a path from its outer end to the leaf, and counts it there. */
static void count_path(volatile struct header *header, const struct callers_path *path)
{
	volatile struct path_node *nodes = (volatile struct path_node *)block_section(header, BAREPROF_DIRECTORY_PATHS);
	uint32_t node = find_node(nodes, NO_NODE, SLICE_CONTEXT(header), BAREPROF_PATH_IS_ROOT | path->end << 8);

	for (uint32_t depth = path->depth; depth != 0 && node != NO_NODE; depth--)
		node = find_node(nodes, node, path->returns[depth - 1u], BAREPROF_PATH_IS_CALL);
	if (node != NO_NODE)
		node = find_node(nodes, node, path->leaf, BAREPROF_PATH_IS_LEAF);
	if (node == NO_NODE)
		counter_increment_alone(&header->stack_totals[BAREPROF_STACK_TOTAL_TREE_FULL]);
	else if (!counter_increment_alone(&nodes[node].count))
		bareprof_counter_increment(&header->saturated);
}

/*
 * Finds the path. Without a readable stack it is the sampled function alone: the search starts with an empty stack at
 * address 0 and with a return address that no code has, so it ends in any function.
 */
static void find_path(volatile struct header *header, uintptr_t pc, const struct bareprof_interrupted *interrupted,
                      struct callers_path *path)
{
	struct stack stack = {0, 0, 0, BAREPROF_SLICE_IS_WITHHELD};
	struct callers_registers registers = {.pc = pc, .lr = 1};

	if (!interrupted_is_withheld(interrupted))
		stack = stack_find(interrupted);
	if (stack.flags == BAREPROF_SLICE_IS_WHOLE)
		stack_cut(&stack, interrupted, INTPTR_MAX);
	if (stack.flags == BAREPROF_SLICE_IS_WHOLE)
		registers = (struct callers_registers){pc, stack.lr, stack.sp, interrupted_fp(interrupted)};
	bareprof_callers_find(unwind_table(), &registers, registers.sp + stack.bytes, path);
	if (stack.flags == BAREPROF_SLICE_IS_BAD)
		counter_increment_alone(&header->stack_totals[BAREPROF_STACK_TOTAL_BAD]);
	/* A Non-secure handler does not see the PC of Secure code either, so that has no row. */
	if (stack.flags == BAREPROF_SLICE_IS_WITHHELD &&
	    (path->end == BAREPROF_END_BAD || path->end == BAREPROF_END_NO_ROW))
		path->end = BAREPROF_END_CUT;
}

void bareprof_path_count(volatile struct header *header, uintptr_t pc, const struct bareprof_interrupted *interrupted)
{
	struct callers_path path;

	if (!counter_increment_alone(&header->stack_totals[BAREPROF_STACK_TOTAL_OFFERED]) || header->has_table == 0)
		return;
	find_path(header, pc, interrupted, &path);
	count_path(header, &path);
}

#else

/* ISO C requires a declaration in every file. */
typedef int bareprof_paths_are_off;

#endif
