/* SPDX-License-Identifier: MIT */
/*
 * The path tree: a hash table of nodes. The parent of a call's node is the node of the next outer call. Only the
 * sampling interrupt writes to the table. A node is complete before its children are added; its flags are written last,
 * except that the count of a leaf follows them.
 */
#include "recorder.h"

#if BAREPROF_PATHS != 0

#include "callers.h"
#include "counter.h"
#include "paths.h"
#include "stack.h"

#define PATH_PROBES_MAX 16u
#define NO_NODE         BAREPROF_PATH_NO_PARENT

BAREPROF_INLINE const struct callers_table *unwind_table(void)
{
	return (const struct callers_table *)(const void *)bareprof_unwind_table;
}

BAREPROF_CODE(bareprof_paths_count_tables) uint32_t bareprof_paths_count_tables(const struct header *header)
{
	return bareprof_callers_count_tables(unwind_table(), bareprof_unwind_place.size,
	                                     (const uint32_t *)(const void *)header->identity);
}

BAREPROF_CODE(bareprof_paths_table_crc) uint32_t bareprof_paths_table_crc(const volatile struct header *header)
{
	return header->table_count != 0 ? unwind_table()->crc : 0;
}

/* Returns the index of a node, adding it if it is new; NO_NODE if all slots that it may have are taken. */
BAREPROF_INLINE uint32_t find_node(volatile struct path_node *nodes, uint32_t mask, uintptr_t key, uint32_t link)
{
	uint32_t index = (uint32_t)(key >> 1) + link * 5u;

	for (uint32_t probes = PATH_PROBES_MAX; probes != 0; probes--) {
		index &= mask;
		volatile struct path_node *node = &nodes[index];
		const uint32_t found = node->link;

		if (found == 0) {
			node->key = key;
			node->link = link;
			return index;
		}
		if (found == link && node->key == key)
			return index;
		index += probes;
	}
	return NO_NODE;
}

/* Adds a path from its outer end to the leaf, and counts it there. */
BAREPROF_INLINE void count_path(volatile struct header *header, const struct callers_path *path)
{
	const uint32_t mask = bareprof_layout.sections[BAREPROF_DIRECTORY_PATHS].capacity - 1u;
	volatile struct path_node *nodes = (volatile struct path_node *)block_section(header, BAREPROF_DIRECTORY_PATHS);
	const uintptr_t *next = path->last + 1;
	uint32_t link = PATH_LINK(BAREPROF_PATH_NO_PARENT, BAREPROF_PATH_IS_ROOT | path->end << 8);
	uintptr_t key = SLICE_CONTEXT(header);

	for (;;) {
		const uint32_t node = find_node(nodes, mask, key, link);

		if (node == NO_NODE) {
			bareprof_counter_increment(&header->stack_totals[BAREPROF_STACK_TOTAL_TREE_FULL]);
			return;
		}
		if (next == path->addresses) {
			if (!bareprof_counter_increment(&nodes[node].count))
				bareprof_counter_increment(&header->saturated);
			return;
		}
		key = *--next;
		link = PATH_LINK(node, next == path->addresses ? BAREPROF_PATH_IS_LEAF + 0u : BAREPROF_PATH_IS_CALL);
	}
}

/*
 * Finds the path. Without a readable stack the path is the sampled function alone: unwinding starts with an empty stack
 * at address 0 and a return address outside all code, so it ends at once.
 */
BAREPROF_INLINE void find_path(volatile struct header *header, const struct bareprof_interrupted *interrupted,
                               struct callers_path *path)
{
	const bool is_withheld = interrupted_is_withheld(interrupted);
	struct stack stack;

	path->lr = 1;
	path->sp = path->fp = path->stack_end = 0;
	if (!is_withheld) {
		stack = stack_find(interrupted);
		if (stack.flags != BAREPROF_SLICE_IS_BAD)
			stack_cut(&stack, interrupted, INTPTR_MAX);
		if (stack.flags == BAREPROF_SLICE_IS_BAD) {
			bareprof_counter_increment(&header->stack_totals[BAREPROF_STACK_TOTAL_BAD]);
		} else {
			path->lr = stack.lr;
			path->sp = stack.sp;
			path->fp = interrupted_fp(interrupted);
			path->stack_end = stack.sp + stack.bytes;
		}
	}
	bareprof_callers_find(unwind_table(), header->table_count, path);
	if (is_withheld)
		path->end = BAREPROF_END_WITHHELD;
}

BAREPROF_CODE(bareprof_path_count)
void bareprof_path_count(volatile struct header *header, uintptr_t pc, const struct bareprof_interrupted *interrupted)
{
	struct callers_path path;

	if (!bareprof_counter_increment(&header->stack_totals[BAREPROF_STACK_TOTAL_OFFERED]) ||
	    header->table_count == 0)
		return;
	path.addresses[0] = pc;
	find_path(header, interrupted, &path);
	count_path(header, &path);
}

#else

/* ISO C requires a declaration in every file. */
typedef int bareprof_paths_are_off;

#endif
