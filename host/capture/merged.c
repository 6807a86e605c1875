/* SPDX-License-Identifier: MIT */
/* The decoders of sections of merged captures: samples by range of code, and totals that exceed the header's counts. */
#include "capture/decoders.h"

#include <bareprof/block.h>
#include <inttypes.h>

#define TOTALS_MIN BAREPROF_TOTAL_TICK_COST /* sums of earlier versions end before it */

static enum status decode_code_range(struct block_decoder *decoder, const struct capture_section *section,
                                     uint32_t index)
{
	struct capture_block *block = decoder->block;
	const struct capture_order *order = &block->header.order;
	size_t offset = section->offset + (size_t)index * section->item_size;
	const uint8_t *item = decoder->bytes + offset;
	struct capture_cell cell = {
	        .low = capture_address(order, item),
	        .count = capture_u64(order, item + BAREPROF_STRETCH_COUNT(order->address_size)),
	        .context = capture_u32(order, item + BAREPROF_STRETCH_CONTEXT(order->address_size)),
	};
	uint32_t flags = capture_u32(order, item + BAREPROF_STRETCH_FLAGS(order->address_size));

	cell.is_coarse = (flags & BAREPROF_STRETCH_IS_COARSE) != 0;
	if (cell.count == 0)
		return STATUS_OK;
	uint64_t size = capture_address(order, item + BAREPROF_STRETCH_BYTES(order->address_size));
	uint64_t end_of_memory = order->address_size == 8 ? UINT64_MAX : UINT64_C(1) << 32;
	if (size == 0 || size > end_of_memory - cell.low)
		return status_fail(decoder->error,
		                   "%s: offset 0x%zx: samples on 0x%" PRIx64 " bytes from 0x%" PRIx64
		                   " on, where no code can be",
		                   decoder->where, offset, size, cell.low);
	cell.high = cell.low + size;
	block->cells[block->cell_count++] = cell;
	return STATUS_OK;
}

enum status decode_code_ranges(struct block_decoder *decoder, const struct capture_section *section)
{
	unsigned item_size_min = BAREPROF_STRETCH_SIZE(decoder->block->header.order.address_size);

	if (section->item_size < item_size_min)
		return status_fail(decoder->error, "%s: offset 0x%x: code ranges of %u bytes, expected at least %u",
		                   decoder->where, section->offset, section->item_size, item_size_min);
	enum status status = reserve_cells(decoder, section->used);
	for (uint32_t i = 0; status == STATUS_OK && i < section->used; i++)
		status = decode_code_range(decoder, section, i);
	return status;
}

static uint64_t merged_total(const struct block_decoder *decoder, const struct capture_section *section, unsigned index)
{
	const uint8_t *item = decoder->bytes + section->offset + (size_t)index * section->item_size;

	return capture_u64(&decoder->block->header.order, item);
}

/* The size of a granule is a power of two; the other sizes may be any number of 32 bits. */
static enum status decode_merged_sizes(struct block_decoder *decoder, const struct capture_section *section)
{
	struct capture_block *block = decoder->block;
	uint64_t bin = merged_total(decoder, section, BAREPROF_TOTAL_BIN_SIZE);
	uint64_t granule = merged_total(decoder, section, BAREPROF_TOTAL_GRANULE_SIZE);
	uint64_t coarse = merged_total(decoder, section, BAREPROF_TOTAL_COARSE_SIZE);

	if (bin > UINT32_MAX || coarse > UINT32_MAX || granule > UINT32_MAX || (granule & (granule - 1)) != 0)
		return status_fail(decoder->error,
		                   "%s: offset 0x%x: bins of %" PRIu64 ", granules of %" PRIu64
		                   ", coarse bins of %" PRIu64 " bytes of code: not possible",
		                   decoder->where, section->offset, bin, granule, coarse);
	block->bin_size = (uint32_t)bin;
	block->granule_size = (uint32_t)granule;
	block->coarse_size = (uint32_t)coarse;
	return STATUS_OK;
}

static uint32_t to_32_bits(uint64_t count)
{
	return count > UINT32_MAX ? UINT32_MAX : (uint32_t)count;
}

static void decode_counts(struct block_decoder *decoder, const struct capture_section *section)
{
	struct capture_block *block = decoder->block;
	struct capture_header *header = &block->header;

	header->ticks = merged_total(decoder, section, BAREPROF_TOTAL_TICKS);
	header->ticks_missed = merged_total(decoder, section, BAREPROF_TOTAL_TICKS_MISSED);
	header->samples_outside = merged_total(decoder, section, BAREPROF_TOTAL_SAMPLES_OUTSIDE);
	header->samples_table_full = merged_total(decoder, section, BAREPROF_TOTAL_TABLE_FULL);
	header->arcs_dropped = merged_total(decoder, section, BAREPROF_TOTAL_ARCS_DROPPED);
	header->saturated = merged_total(decoder, section, BAREPROF_TOTAL_SATURATED);
	header->reset_count = merged_total(decoder, section, BAREPROF_TOTAL_RESETS);
	block->arcs_in_flight = merged_total(decoder, section, BAREPROF_TOTAL_ARCS_IN_FLIGHT);
	block->cells_saturated = merged_total(decoder, section, BAREPROF_TOTAL_CELLS_SATURATED);
	block->arcs_saturated = merged_total(decoder, section, BAREPROF_TOTAL_ARCS_SATURATED);
	block->sections_skipped = merged_total(decoder, section, BAREPROF_TOTAL_SECTIONS_SKIPPED);
	block->granule_capacity = to_32_bits(merged_total(decoder, section, BAREPROF_TOTAL_GRANULE_CAPACITY));
	block->arc_capacity = to_32_bits(merged_total(decoder, section, BAREPROF_TOTAL_ARC_CAPACITY));
}

/* Older sums lack the last total. No sampling interrupt runs if a probe takes the samples. */
static void decode_merged_sampling(struct block_decoder *decoder, const struct capture_section *section, uint64_t flags)
{
	struct capture_block *block = decoder->block;
	uint64_t cost = block->is_sampled ? 0 : CAPTURE_UNKNOWN;

	if (section->used > BAREPROF_TOTAL_TICK_COST)
		cost = merged_total(decoder, section, BAREPROF_TOTAL_TICK_COST);
	block->has_tick_cost = cost != CAPTURE_UNKNOWN;
	block->tick_cost = block->has_tick_cost ? cost : 0;
	if ((flags & BAREPROF_TOTAL_IS_FIXED) != 0)
		block->distances = CAPTURE_DISTANCES_FIXED;
	else if ((flags & BAREPROF_TOTAL_IS_DITHERED) != 0 || block->is_sampled)
		block->distances = CAPTURE_DISTANCES_RANDOM;
	else
		block->distances = CAPTURE_DISTANCES_UNKNOWN;
}

enum status decode_totals(struct block_decoder *decoder, const struct capture_section *section)
{
	struct capture_block *block = decoder->block;

	if (section->item_size < 8 || section->used < TOTALS_MIN)
		return status_fail(decoder->error,
		                   "%s: offset 0x%x: %u totals of %u bytes, expected at least %u of at least 8",
		                   decoder->where, section->offset, section->used, section->item_size, TOTALS_MIN);
	enum status status = decode_merged_sizes(decoder, section);
	if (status != STATUS_OK)
		return status;
	decode_counts(decoder, section);
	uint64_t flags = merged_total(decoder, section, BAREPROF_TOTAL_FLAGS);
	block->is_gmon = (flags & BAREPROF_TOTAL_IS_GMON) != 0;
	block->is_contradictory = (flags & BAREPROF_TOTAL_IS_CONTRADICTORY) != 0;
	block->is_sampled = (flags & BAREPROF_TOTAL_IS_SAMPLED) != 0;
	decode_merged_sampling(decoder, section, flags);
	block->merged_count = merged_total(decoder, section, BAREPROF_TOTAL_BLOCKS);
	/* Samples taken through a probe are stored like a sum of one block, but are not a sum. */
	if (block->is_sampled && block->merged_count == 1)
		block->merged_count = 0;
	uint64_t skew = merged_total(decoder, section, BAREPROF_TOTAL_SKEW);
	block->has_skew = skew != CAPTURE_UNKNOWN;
	block->ticks_after = block->has_skew ? skew : 0;
	return STATUS_OK;
}
