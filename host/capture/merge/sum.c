/* SPDX-License-Identifier: MIT */
/* See sum.h. */
#include "capture/merge/sum.h"

#include "capture/count.h"
#include "capture/mix.h"

#include <stdlib.h>
#include <string.h>

static uint64_t hash_cell(const void *item, uint64_t seed)
{
	const struct capture_cell *cell = item;
	uint64_t range = mix_bits(mix_bits(seed + cell->low) + cell->high);

	return mix_bits(range + ((uint64_t)cell->context << 1 | cell->is_coarse));
}

static void add_cell_count(void *sum, const void *item)
{
	const struct capture_cell *cell = item;

	count_add(&((struct capture_cell *)sum)->count, cell->count);
}

static uint64_t hash_arc(const void *item, uint64_t seed)
{
	const struct capture_arc *arc = item;

	return mix_bits(mix_bits(mix_bits(seed + arc->caller) + arc->callee) + arc->context);
}

static void add_arc_count(void *sum, const void *item)
{
	const struct capture_arc *arc = item;

	count_add(&((struct capture_arc *)sum)->count, arc->count);
}

static const struct tally_kind cell_kind = {sizeof(struct capture_cell), hash_cell, capture_compare_cells,
                                            add_cell_count};
static const struct tally_kind arc_kind = {sizeof(struct capture_arc), hash_arc, capture_compare_arcs, add_arc_count};

/* The number of contexts up to the last one with a name. */
static size_t named_context_count(const struct capture_block *block)
{
	size_t count = block->context_count;

	while (count > 0 && block->contexts[count - 1].name[0] == '\0')
		count--;
	return count;
}

/* The number of contexts up to the last one with a name or switches. */
static size_t known_context_count(const struct capture_block *block)
{
	size_t named = named_context_count(block), count = block->context_count;

	while (count > named && block->contexts[count - 1].switches == CAPTURE_UNKNOWN)
		count--;
	return count;
}

static struct capture_header header_without_counts(const struct capture_header *header)
{
	struct capture_header empty = *header;

	empty.reset_count = empty.ticks = empty.ticks_missed = empty.samples_outside = 0;
	empty.samples_table_full = empty.arcs_dropped = empty.saturated = 0;
	return empty;
}

bool sum_begin(struct sum *sum, const struct capture_block *block)
{
	size_t contexts = known_context_count(block);

	*sum = (struct sum){
	        .block = {.header = header_without_counts(&block->header),
	                  .range_count = block->range_count,
	                  .bin_size = block->bin_size,
	                  .granule_size = block->granule_size,
	                  .coarse_size = block->coarse_size,
	                  .has_contexts = block->has_contexts,
	                  .context_count = contexts,
	                  .is_gmon = block->is_gmon,
	                  .is_sampled = block->is_sampled,
	                  .has_stack_totals = block->has_stack_totals,
	                  .slices_filtered = block->slices_filtered,
	                  .stack_totals.table_crc = block->stack_totals.table_crc,
	                  .has_skew = true,
	                  .has_tick_cost = true,
	                  .distances = CAPTURE_DISTANCES_RANDOM},
	        .cells = {.kind = &cell_kind},
	        .arcs = {.kind = &arc_kind},
	};
	memcpy(sum->block.ranges, block->ranges, sizeof block->ranges);
	sum->block.contexts = calloc(contexts + 1, sizeof *sum->block.contexts);
	for (size_t i = 0; sum->block.contexts != NULL && i < contexts; i++)
		memcpy(sum->block.contexts[i].name, block->contexts[i].name, sizeof block->contexts[i].name);
	return sum->block.contexts != NULL;
}

void sum_free(struct sum *sum)
{
	tally_free(&sum->cells);
	tally_free(&sum->arcs);
	slice_pool_free(&sum->slices);
	tally_free(&sum->paths);
	free(sum->block.contexts);
}

static bool is_same_build(const struct capture_header *left, const struct capture_header *right)
{
	return left->identity_kind == right->identity_kind && left->identity_size == right->identity_size &&
	       memcmp(left->identity, right->identity, sizeof left->identity) == 0 &&
	       strcmp(left->board, right->board) == 0;
}

static bool is_same_target(const struct capture_header *left, const struct capture_header *right)
{
	return left->core == right->core && left->clock_hz == right->clock_hz && left->period == right->period &&
	       left->state == right->state && is_same_build(left, right);
}

static bool has_same_ranges(const struct capture_block *left, const struct capture_block *right)
{
	for (size_t i = 0; i < left->range_count && i < right->range_count; i++)
		if (left->ranges[i].start != right->ranges[i].start || left->ranges[i].end != right->ranges[i].end)
			return false;
	return left->range_count == right->range_count;
}

static bool has_same_store(const struct capture_block *left, const struct capture_block *right)
{
	return left->bin_size == right->bin_size && left->granule_size == right->granule_size &&
	       left->coarse_size == right->coarse_size && has_same_ranges(left, right);
}

/* Whether each context number has the same name in both blocks. */
static bool has_same_contexts(const struct capture_block *left, const struct capture_block *right)
{
	size_t count = named_context_count(left);

	if (left->has_contexts != right->has_contexts || count != named_context_count(right))
		return false;
	for (size_t i = 0; i < count; i++)
		if (strcmp(left->contexts[i].name, right->contexts[i].name) != 0)
			return false;
	return true;
}

/* Trees that were unwound by different tables may lack different functions. */
static bool has_same_stacks(const struct capture_block *left, const struct capture_block *right)
{
	return left->has_stack_totals == right->has_stack_totals && left->slices_filtered == right->slices_filtered &&
	       (left->slice_capacity > 0) == (right->slice_capacity > 0) &&
	       (left->path_node_capacity > 0) == (right->path_node_capacity > 0) &&
	       left->stack_totals.table_crc == right->stack_totals.table_crc;
}

bool sum_accepts(const struct sum *sum, const struct capture_block *block)
{
	const struct capture_block *of_sum = &sum->block;

	return of_sum->is_gmon == block->is_gmon && of_sum->is_sampled == block->is_sampled &&
	       is_same_target(&of_sum->header, &block->header) && has_same_store(of_sum, block) &&
	       has_same_contexts(of_sum, block) && has_same_stacks(of_sum, block);
}

static void add_header_counts(struct capture_header *sum, const struct capture_header *header)
{
	count_add(&sum->reset_count, header->reset_count);
	count_add(&sum->ticks, header->ticks);
	count_add(&sum->samples_outside, header->samples_outside);
	count_add(&sum->samples_table_full, header->samples_table_full);
	count_add(&sum->arcs_dropped, header->arcs_dropped);
	count_add(&sum->saturated, header->saturated);
	/* CAPTURE_UNKNOWN is the largest number, so a sum with an unknown part saturates to unknown. */
	count_add(&sum->ticks_missed, header->ticks_missed);
}

static void add_tick_skew(struct capture_block *sum, const struct capture_block *block)
{
	sum->has_skew = sum->has_skew && block->has_skew;
	if (block->has_skew)
		count_add(&sum->ticks_after, block->ticks_after - block->ticks_before);
}

/* Distances are fixed if they are in any block, else unknown if they are in any block. A block without ticks had no
 * sampling interrupts. */
static void add_sampling(struct capture_block *sum, const struct capture_block *block)
{
	if (block->header.ticks == 0)
		return;
	sum->has_tick_cost = sum->has_tick_cost && block->has_tick_cost;
	if (block->has_tick_cost)
		count_add(&sum->tick_cost, block->tick_cost);
	if (sum->distances != CAPTURE_DISTANCES_FIXED && block->distances != CAPTURE_DISTANCES_RANDOM)
		sum->distances = block->distances;
}

/* The number of switches is unknown if it is unknown in any block. */
static void add_switches(struct capture_block *sum, const struct capture_block *block)
{
	for (size_t i = 0; i < sum->context_count; i++)
		count_add(&sum->contexts[i].switches,
		          i < block->context_count ? block->contexts[i].switches : CAPTURE_UNKNOWN);
	sum->contexts_refused |= block->contexts_refused;
}

static uint32_t larger_number(uint32_t left, uint32_t right)
{
	return left > right ? left : right;
}

static void add_losses_of_block(struct capture_block *sum, const struct capture_block *block)
{
	count_add(&sum->arcs_in_flight, block->arcs_in_flight);
	count_add(&sum->cells_saturated, block->cells_saturated);
	count_add(&sum->arcs_saturated, block->arcs_saturated);
	count_add(&sum->sections_skipped, block->sections_skipped);
	sum->granule_capacity = larger_number(sum->granule_capacity, block->granule_capacity);
	sum->arc_capacity = larger_number(sum->arc_capacity, block->arc_capacity);
}

static void add_stack_totals(struct capture_block *sum, const struct capture_block *block)
{
	struct capture_stack_totals *totals = &sum->stack_totals;

	count_add(&totals->offered, block->stack_totals.offered);
	count_add(&totals->bad, block->stack_totals.bad);
	count_add(&totals->tree_full, block->stack_totals.tree_full);
	count_add(&totals->timed, block->stack_totals.timed);
	count_add(&totals->cost, block->stack_totals.cost);
	count_add(&totals->overruns, block->stack_totals.overruns);
	count_add(&sum->slices_in_flight, block->slices_in_flight);
	count_add(&sum->path_nodes_bad, block->path_nodes_bad);
	sum->slice_capacity = larger_number(sum->slice_capacity, block->slice_capacity);
	sum->slice_bytes = larger_number(sum->slice_bytes, block->slice_bytes);
	sum->path_node_capacity = larger_number(sum->path_node_capacity, block->path_node_capacity);
}

bool sum_add(struct sum *sum, const struct capture_block *block)
{
	add_header_counts(&sum->block.header, &block->header);
	add_tick_skew(&sum->block, block);
	add_sampling(&sum->block, block);
	add_losses_of_block(&sum->block, block);
	add_switches(&sum->block, block);
	add_stack_totals(&sum->block, block);
	count_add(&sum->block.merged_count, block->merged_count > 0 ? block->merged_count : 1);
	if (capture_sum_samples(block).balance == CAPTURE_DOES_NOT_ADD_UP)
		sum->block.is_contradictory = true;
	return tally_add(&sum->cells, block->cells, block->cell_count) &&
	       tally_add(&sum->arcs, block->arcs, block->arc_count) && slice_pool_add(&sum->slices, block) &&
	       path_tree_add(&sum->paths, block->path_nodes, block->path_node_count);
}

bool sum_finish(struct sum *sum)
{
	struct capture_block *block = &sum->block;

	if (!slice_pool_finish(&sum->slices, block) || !path_tree_sort(&sum->paths))
		return false;
	tally_sort(&sum->cells);
	tally_sort(&sum->arcs);
	block->context_count = known_context_count(block);
	block->cells = sum->cells.items;
	block->cell_count = sum->cells.count;
	block->arcs = sum->arcs.items;
	block->arc_count = sum->arcs.count;
	block->path_nodes = sum->paths.items;
	block->path_node_count = sum->paths.count;
	return true;
}
