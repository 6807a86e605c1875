/* SPDX-License-Identifier: MIT */
/* The decoder of the totals of stacks, and the cost of ticks, which is computed from them. */
#include "capture/count.h"
#include "capture/decoders.h"

#include <bareprof/block.h>

static bool has_wide_totals(const struct capture_section *section)
{
	return section->item_size >= 8;
}

/* Items that the section does not have are 0. */
static uint64_t stack_total(const struct block_decoder *decoder, const struct capture_section *section, unsigned index)
{
	const uint8_t *item = decoder->bytes + section->offset + (size_t)index * section->item_size;

	if (index >= section->used)
		return 0;
	return capture_counter(&decoder->block->header.order, item, has_wide_totals(section) ? 8 : 4);
}

static uint64_t stack_cost(const struct block_decoder *decoder, const struct capture_section *section)
{
	uint64_t low = stack_total(decoder, section, BAREPROF_STACK_TOTAL_COST);

	return has_wide_totals(section) ? low
	                                : low | stack_total(decoder, section, BAREPROF_STACK_TOTAL_COST_HIGH) << 32;
}

/* A total that needs 32 bits; larger ones are cut to the maximum, because the capture is untrusted. */
static uint32_t narrow_total(const struct block_decoder *decoder, const struct capture_section *section, unsigned index)
{
	const uint64_t count = stack_total(decoder, section, index);

	return count > UINT32_MAX ? UINT32_MAX : (uint32_t)count;
}

/* A merged capture has no more room for stacks than it needs, so the totals state the room in the target. */
static void decode_merged(struct block_decoder *decoder, const struct capture_section *section)
{
	struct capture_block *block = decoder->block;
	const uint32_t bytes = narrow_total(decoder, section, BAREPROF_STACK_TOTAL_SLICE_BYTES);
	const uint32_t bounded = bytes < SLICE_ROOM_MAX ? bytes : SLICE_ROOM_MAX;

	count_add(&block->slices_in_flight, stack_total(decoder, section, BAREPROF_STACK_TOTAL_IN_FLIGHT));
	count_add(&block->path_nodes_bad, stack_total(decoder, section, BAREPROF_STACK_TOTAL_PATHS_BAD));
	block->slice_capacity = narrow_total(decoder, section, BAREPROF_STACK_TOTAL_SLICE_CAPACITY);
	block->path_node_capacity = narrow_total(decoder, section, BAREPROF_STACK_TOTAL_PATH_CAPACITY);
	/* The slices in the capture may have more bytes than the totals claim. */
	block->slice_bytes = bounded > block->slice_bytes ? bounded : block->slice_bytes;
}

uint64_t cost_of_ticks(const struct capture_stack_totals *totals, uint64_t ticks)
{
	double sum = totals->timed > 0 ? (double)totals->cost * (double)ticks / (double)totals->timed : 0;

	return sum < 0x1p63 ? (uint64_t)sum : UINT64_C(1) << 63;
}

enum status decode_stack_totals(struct block_decoder *decoder, const struct capture_section *section)
{
	struct capture_block *block = decoder->block;

	if (section->item_size < 4)
		return status_fail(decoder->error, "%s: offset 0x%x: totals of stacks of %u bytes, expected at least 4",
		                   decoder->where, section->offset, section->item_size);
	block->has_stack_totals = true;
	block->stack_totals = (struct capture_stack_totals){
	        .offered = stack_total(decoder, section, BAREPROF_STACK_TOTAL_OFFERED),
	        .bad = stack_total(decoder, section, BAREPROF_STACK_TOTAL_BAD),
	        .tree_full = stack_total(decoder, section, BAREPROF_STACK_TOTAL_TREE_FULL),
	        .timed = stack_total(decoder, section, BAREPROF_STACK_TOTAL_TIMED),
	        .cost = stack_cost(decoder, section),
	        .overruns = stack_total(decoder, section, BAREPROF_STACK_TOTAL_OVERRUNS),
	        .table_crc = (uint32_t)stack_total(decoder, section, BAREPROF_STACK_TOTAL_TABLE_CRC),
	};
	if (has_wide_totals(section) && section->used >= BAREPROF_STACK_TOTALS_MERGED)
		decode_merged(decoder, section);
	/* A sum states the whole cost elsewhere. */
	if (block->stack_totals.timed > 0 && !has_wide_totals(section)) {
		count_add(&block->tick_cost, cost_of_ticks(&block->stack_totals, block->header.ticks));
		block->has_tick_cost = block->tick_cost > 0;
	}
	return STATUS_OK;
}
