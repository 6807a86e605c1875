/* SPDX-License-Identifier: MIT */
/* The decoders of samples: bins over the ranges, fine or coarse, and the table of granules. */
#include "base/search.h"
#include "capture/decoders.h"

#include <bareprof/block.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define SHIFT_MAX 31

static bool is_counter_size(unsigned size)
{
	return size == 1 || size == 2 || size == 4 || size == 8;
}

enum status reserve_cells(struct block_decoder *decoder, size_t more)
{
	struct capture_block *block = decoder->block;
	struct capture_cell *cells = reallocarray(block->cells, block->cell_count + more + 1, sizeof *cells);

	if (cells == NULL)
		return status_no_memory(decoder->error, decoder->where);
	block->cells = cells;
	return STATUS_OK;
}

static void keep_sampled_cell(struct block_decoder *decoder, const struct capture_cell *cell, unsigned counter_size)
{
	struct capture_block *block = decoder->block;

	if (cell->count == 0)
		return;
	block->cells_saturated += counter_is_saturated(cell->count, counter_size);
	block->cells[block->cell_count++] = *cell;
}

/* The bins of all ranges lie one after the other; the last bin of a range ends with the range. */
static enum status decode_range_bins(struct block_decoder *decoder, const struct capture_section *section,
                                     const struct capture_range *range, uint64_t *next_bin)
{
	unsigned shift = section->parameter;
	uint64_t length = range->end - range->start;
	uint64_t bins = (length >> shift) + ((length & ((UINT64_C(1) << shift) - 1)) != 0);

	if (bins > section->used - *next_bin)
		return status_fail(decoder->error,
		                   "%s: offset 0x%x: range 0x%" PRIx64 "..0x%" PRIx64 " needs %" PRIu64
		                   " bins, %" PRIu64 " of %u are left",
		                   decoder->where, section->offset, range->start, range->end, bins,
		                   section->used - *next_bin, section->used);
	const uint8_t *item = decoder->bytes + section->offset + *next_bin * section->item_size;
	for (uint64_t i = 0; i < bins; i++, item += section->item_size) {
		struct capture_cell cell = {
		        .low = range->start + (i << shift),
		        .count = capture_counter(&decoder->block->header.order, item, section->item_size),
		        .context = CAPTURE_NO_CONTEXT,
		        .is_coarse = section->kind == BAREPROF_SECTION_COARSE,
		};

		cell.high = i + 1 == bins ? range->end : cell.low + (UINT64_C(1) << shift);
		keep_sampled_cell(decoder, &cell, section->item_size);
	}
	*next_bin += bins;
	return STATUS_OK;
}

static enum status decode_all_bins(struct block_decoder *decoder, const struct capture_section *section,
                                   uint32_t *bin_size)
{
	struct capture_block *block = decoder->block;

	if (!is_counter_size(section->item_size) || section->parameter > SHIFT_MAX)
		return status_fail(decoder->error,
		                   "%s: offset 0x%x: bins of %u bytes for 2^%u bytes of code: not possible",
		                   decoder->where, section->offset, section->item_size, section->parameter);
	enum status status = reserve_cells(decoder, section->used);
	*bin_size = UINT32_C(1) << section->parameter;
	uint64_t next_bin = 0;
	for (size_t i = 0; status == STATUS_OK && i < block->range_count; i++)
		status = decode_range_bins(decoder, section, &block->ranges[i], &next_bin);
	return status;
}

enum status decode_bins(struct block_decoder *decoder, const struct capture_section *section)
{
	return decode_all_bins(decoder, section, &decoder->block->bin_size);
}

enum status decode_coarse(struct block_decoder *decoder, const struct capture_section *section)
{
	return decode_all_bins(decoder, section, &decoder->block->coarse_size);
}

/* A slot of a 64-bit target always has room for a context, but holds one only if the block has contexts. */
static bool granules_have_context(const struct capture_block *block, const struct capture_section *section)
{
	unsigned address_size = block->header.order.address_size;

	return section->item_size >= BAREPROF_GRANULE_CONTEXT(address_size) + 4 &&
	       (address_size == 4 || block->has_contexts);
}

/* The last granule of a 64-bit target would end at 2^64, so it ends one byte before. */
static uint64_t end_of_granule(uint64_t low, uint64_t size)
{
	return low + size < low ? UINT64_MAX : low + size;
}

static enum status decode_granule(struct block_decoder *decoder, const struct capture_section *section, uint32_t index)
{
	const struct capture_order *order = &decoder->block->header.order;
	size_t offset = section->offset + (size_t)index * section->item_size;
	const uint8_t *item = decoder->bytes + offset;
	uint64_t number = capture_address(order, item + BAREPROF_GRANULE_NUMBER(order->address_size));
	uint64_t address_max = order->address_size == 8 ? UINT64_MAX : UINT32_MAX;
	struct capture_cell cell = {
	        .low = number << section->parameter,
	        .count = capture_u32(order, item + BAREPROF_GRANULE_COUNT(order->address_size)),
	        .context = CAPTURE_NO_CONTEXT,
	};

	if (cell.count > 0 && (number > address_max >> section->parameter || cell.low == UINT64_MAX))
		return status_fail(decoder->error,
		                   "%s: offset 0x%zx: granule 0x%" PRIx64 " of %u bytes is past the end of memory",
		                   decoder->where, offset, number, 1u << section->parameter);
	cell.high = end_of_granule(cell.low, UINT64_C(1) << section->parameter);
	if (granules_have_context(decoder->block, section))
		cell.context = capture_u32(order, item + BAREPROF_GRANULE_CONTEXT(order->address_size));
	keep_sampled_cell(decoder, &cell, 4);
	return STATUS_OK;
}

enum status decode_granules(struct block_decoder *decoder, const struct capture_section *section)
{
	struct capture_block *block = decoder->block;
	unsigned item_size_min = BAREPROF_GRANULE_COUNT(block->header.order.address_size) + 4;

	if (section->item_size < item_size_min || section->parameter > SHIFT_MAX)
		return status_fail(
		        decoder->error,
		        "%s: offset 0x%x: granules of 2^%u bytes of code in %u bytes, expected 2^%u or less in %u "
		        "or more",
		        decoder->where, section->offset, section->parameter, section->item_size, SHIFT_MAX,
		        item_size_min);
	block->granule_size = UINT32_C(1) << section->parameter;
	block->granule_capacity = section->capacity;
	block->has_contexts = block->has_contexts || granules_have_context(block, section);
	enum status status = reserve_cells(decoder, section->capacity);
	for (uint32_t i = 0; status == STATUS_OK && section->used > 0 && i < section->capacity; i++)
		status = decode_granule(decoder, section, i);
	return status;
}

static void sort_by_byte(const struct capture_cell *from, struct capture_cell *to, size_t count, unsigned shift)
{
	size_t positions[256 + 1] = {0};

	for (size_t i = 0; i < count; i++)
		positions[(from[i].low >> shift & 0xFF) + 1]++;
	for (unsigned i = 1; i < 256; i++)
		positions[i] += positions[i - 1];
	for (size_t i = 0; i < count; i++)
		to[positions[from[i].low >> shift & 0xFF]++] = from[i];
}

/* Radix sort: a stable pass for each byte in which addresses differ, the least significant byte first. A comparison
 * sort would dominate the time of reading a capture. False when out of memory. */
static bool sort_by_low(struct capture_cell *cells, size_t count)
{
	struct capture_cell *from = cells, *to = calloc(count, sizeof *to), *work = to;
	uint64_t differing = 0;

	if (work == NULL)
		return false;
	for (size_t i = 0; i < count; i++)
		differing |= cells[i].low ^ cells[0].low;
	for (unsigned shift = 0; shift < 64; shift += 8) {
		if ((differing >> shift & 0xFF) == 0)
			continue;
		sort_by_byte(from, to, count, shift);
		struct capture_cell *sorted = to;
		to = from;
		from = sorted;
	}
	if (from != cells)
		memcpy(cells, from, count * sizeof *cells);
	free(work);
	return true;
}

int capture_compare_cells(const void *left, const void *right)
{
	const struct capture_cell *a = left, *b = right;

	if (a->low != b->low)
		return compare_numbers(a->low, b->low);
	if (a->high != b->high)
		return compare_numbers(a->high, b->high);
	if (a->context != b->context)
		return compare_numbers(a->context, b->context);
	return compare_numbers(a->is_coarse, b->is_coarse);
}

static bool are_sorted(const struct capture_cell *cells, size_t count)
{
	for (size_t i = 1; i < count; i++)
		if (cells[i - 1].low > cells[i].low)
			return false;
	return true;
}

bool sort_cells(struct capture_block *block)
{
	struct capture_cell *cells = block->cells;

	if (!are_sorted(cells, block->cell_count) && !sort_by_low(cells, block->cell_count))
		return false;
	for (size_t first = 0, end; first < block->cell_count; first = end) {
		for (end = first + 1; end < block->cell_count && cells[end].low == cells[first].low;)
			end++;
		if (end - first > 1)
			qsort(cells + first, end - first, sizeof *cells, capture_compare_cells);
	}
	return true;
}
