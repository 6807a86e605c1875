/* SPDX-License-Identifier: MIT */
/* See info_stacks.h. */
#include "command/info_stacks.h"

#include "capture/count.h"

#include <inttypes.h>
#include <stdio.h>

static void print_slices(const struct capture_block *block)
{
	size_t bad = 0;

	for (size_t i = 0; i < block->slice_count; i++)
		bad += block->slices[i].is_bad;
	printf("  slices      %zu kept, ", block->slice_count);
	if (bad > 0)
		printf("%zu of them with a bad stack pointer, ", bad);
	printf("room for %u with %u bytes of stack each%s; %" PRIu64 " in flight\n", block->slice_capacity,
	       block->slice_bytes, block->slices_filtered ? ", filtered" : "", block->slices_in_flight);
}

static void print_paths(const struct capture_block *block)
{
	const struct capture_stack_totals *totals = &block->stack_totals;
	uint64_t samples = 0;

	for (size_t i = 0; i < block->path_node_count; i++)
		count_add(&samples, block->path_nodes[i].count);
	printf("  paths       %" PRIu64 " samples in %zu nodes, room for %u; %" PRIu64 " lost to a full tree, %" PRIu64
	       " impossible nodes;\n",
	       samples, block->path_node_count, block->path_node_capacity, totals->tree_full, block->path_nodes_bad);
	if (totals->table_crc != 0)
		printf("              unwound by the table %08x\n", totals->table_crc);
	else
		printf("              no unwind table\n");
}

/* True if every tick examined its stack. Ticks that keep no slice do not examine it. */
static bool are_all_examined(const struct capture_block *block)
{
	return block->is_sampled || (block->slice_capacity == 0 && block->slice_count == 0);
}

void info_print_stacks(const struct capture_block *block)
{
	const struct capture_stack_totals *totals = &block->stack_totals;

	if (!block->has_stack_totals)
		return;
	printf("  stacks      %" PRIu64 " offered%s %" PRIu64 " with a bad stack pointer\n", totals->offered,
	       are_all_examined(block) ? ", of which" : "; of the ticks that examined theirs,", totals->bad);
	if (block->slice_capacity > 0 || block->slice_count > 0)
		print_slices(block);
	if (block->path_node_capacity > 0 || block->path_node_count > 0)
		print_paths(block);
}
