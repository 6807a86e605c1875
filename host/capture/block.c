/* SPDX-License-Identifier: MIT */
/* Decodes the sections of one block into cells and arcs. Knows nothing of files and trailers. */
#include "capture/block.h"

#include <bareprof/block.h>
#include <stdlib.h>
#include <string.h>

#define SECTIONS_MAX (sizeof((struct capture_block *)0)->sections / sizeof(struct capture_section))
#define RANGES_MAX   (sizeof((struct capture_block *)0)->ranges / sizeof(struct capture_range))

/* What the decoders of the sections share. */
struct decoder {
	const char *where;
	const uint8_t *bytes;
	struct capture_block *block;
	struct error *error;
};

static enum status out_of_memory(struct decoder *decoder)
{
	return status_fail(decoder->error, "%s: out of memory", decoder->where);
}

static uint64_t read_counter(const struct capture_order *order, const uint8_t *bytes, unsigned size)
{
	switch (size) {
	case 1:
		return bytes[0];
	case 2:
		return capture_u16(order, bytes);
	case 4:
		return capture_u32(order, bytes);
	default:
		return capture_u64(order, bytes);
	}
}

static bool is_counter_size(unsigned size)
{
	return size == 1 || size == 2 || size == 4 || size == 8;
}

/* Counters of 32 bits stop a little before their end, because interrupts may add at the same time. */
static bool is_saturated(uint64_t count, unsigned size)
{
	return count >= (size == 4 ? BAREPROF_COUNTER_LIMIT : UINT64_MAX >> (64 - 8 * size));
}

static bool overlap(const struct capture_range *left, const struct capture_range *right)
{
	return left->start < right->end && right->start < left->end;
}

static enum status check_range(struct decoder *decoder, const struct capture_range *range, size_t offset)
{
	if (range->end < range->start)
		return status_fail(decoder->error, "%s: offset 0x%zx: range 0x%llx..0x%llx ends before it starts",
		                   decoder->where, offset, (unsigned long long)range->start,
		                   (unsigned long long)range->end);
	for (const struct capture_range *other = decoder->block->ranges; other < range; other++)
		if (overlap(other, range))
			return status_fail(
			        decoder->error,
			        "%s: offset 0x%zx: range 0x%llx..0x%llx overlaps another: give BAREPROF_DEFINE "
			        "ranges that do not",
			        decoder->where, offset, (unsigned long long)range->start,
			        (unsigned long long)range->end);
	return STATUS_OK;
}

static enum status decode_ranges(struct decoder *decoder, const struct capture_section *section)
{
	struct capture_block *block = decoder->block;
	const struct capture_order *order = &block->header.order;
	if (section->item_size != 2 * order->address_size || section->used > RANGES_MAX)
		return status_fail(decoder->error, "%s: offset 0x%x: %u ranges of %u bytes, expected at most %zu of %u",
		                   decoder->where, section->offset, section->used, section->item_size, RANGES_MAX,
		                   2 * order->address_size);
	for (uint32_t i = 0; i < section->used; i++) {
		size_t offset = section->offset + (size_t)i * section->item_size;
		const uint8_t *item = decoder->bytes + offset;
		block->ranges[i].start = capture_address(order, item);
		block->ranges[i].end = capture_address(order, item + order->address_size);
		enum status status = check_range(decoder, &block->ranges[i], offset);
		if (status != STATUS_OK)
			return status;
	}
	block->range_count = section->used;
	return STATUS_OK;
}

static void add_cell(struct decoder *decoder, uint64_t low, uint64_t high, uint64_t count, unsigned counter_size)
{
	struct capture_block *block = decoder->block;
	if (count == 0)
		return;
	block->bins_saturated += is_saturated(count, counter_size);
	block->cells[block->cell_count++] = (struct capture_cell){.low = low, .high = high, .count = count};
}

/* The bins of all ranges lie one after the other; the last bin of a range ends with the range. */
static enum status decode_range_bins(struct decoder *decoder, const struct capture_section *section,
                                     const struct capture_range *range, uint64_t *next_bin)
{
	unsigned shift = section->parameter;
	uint64_t length = range->end - range->start;
	uint64_t bins = (length >> shift) + ((length & ((UINT64_C(1) << shift) - 1)) != 0);
	if (bins > section->used - *next_bin)
		return status_fail(decoder->error,
		                   "%s: offset 0x%x: range 0x%llx..0x%llx needs %llu bins, %llu of %u are left",
		                   decoder->where, section->offset, (unsigned long long)range->start,
		                   (unsigned long long)range->end, (unsigned long long)bins,
		                   (unsigned long long)(section->used - *next_bin), section->used);
	const uint8_t *item = decoder->bytes + section->offset + *next_bin * section->item_size;
	for (uint64_t i = 0; i < bins; i++, item += section->item_size) {
		uint64_t low = range->start + (i << shift);
		uint64_t high = i + 1 == bins ? range->end : low + (UINT64_C(1) << shift);
		uint64_t count = read_counter(&decoder->block->header.order, item, section->item_size);
		add_cell(decoder, low, high, count, section->item_size);
	}
	*next_bin += bins;
	return STATUS_OK;
}

static int compare_cells(const void *left, const void *right)
{
	const struct capture_cell *a = left, *b = right;
	return (a->low > b->low) - (a->low < b->low);
}

static enum status decode_bins(struct decoder *decoder, const struct capture_section *section)
{
	struct capture_block *block = decoder->block;
	if (!is_counter_size(section->item_size) || section->parameter > 31)
		return status_fail(decoder->error,
		                   "%s: offset 0x%x: bins of %u bytes for 2^%u bytes of code: not possible",
		                   decoder->where, section->offset, section->item_size, section->parameter);
	block->cells = calloc(section->used + (size_t)1, sizeof *block->cells);
	if (block->cells == NULL)
		return out_of_memory(decoder);
	block->bin_size = UINT32_C(1) << section->parameter;
	uint64_t next_bin = 0;
	for (size_t i = 0; i < block->range_count; i++) {
		enum status status = decode_range_bins(decoder, section, &block->ranges[i], &next_bin);
		if (status != STATUS_OK)
			return status;
	}
	qsort(block->cells, block->cell_count, sizeof *block->cells, compare_cells);
	return STATUS_OK;
}

static unsigned arc_count_size(const struct capture_section *section)
{
	return section->parameter & BAREPROF_ARC_WIDE_COUNT ? 8 : 4;
}

/* The callee is written last, so a count without a callee is a slot that was being claimed when it was read. */
static void decode_arc(struct decoder *decoder, const struct capture_section *section, const uint8_t *item)
{
	struct capture_block *block = decoder->block;
	const struct capture_order *order = &block->header.order;
	struct capture_arc arc = {
	        .caller = capture_address(order, item),
	        .callee = capture_address(order, item + order->address_size),
	        .count = read_counter(order, item + 2 * order->address_size, arc_count_size(section)),
	};
	if (arc.count == 0)
		return;
	if (arc.callee == 0) {
		block->arcs_in_flight++;
		return;
	}
	block->arcs_saturated += is_saturated(arc.count, arc_count_size(section));
	block->arcs[block->arc_count++] = arc;
}

static enum status decode_arcs(struct decoder *decoder, const struct capture_section *section)
{
	struct capture_block *block = decoder->block;
	unsigned context_size = section->parameter & BAREPROF_ARC_CONTEXT ? 4 : 0;
	unsigned least = 2 * block->header.order.address_size + arc_count_size(section) + context_size;
	if (section->item_size < least)
		return status_fail(decoder->error, "%s: offset 0x%x: arcs of %u bytes, expected at least %u",
		                   decoder->where, section->offset, section->item_size, least);
	block->arc_capacity = section->capacity;
	block->arcs = calloc(section->capacity + (size_t)1, sizeof *block->arcs);
	if (block->arcs == NULL)
		return out_of_memory(decoder);
	if (section->used == 0)
		return STATUS_OK;
	for (uint32_t i = 0; i < section->capacity; i++)
		decode_arc(decoder, section, decoder->bytes + section->offset + (size_t)i * section->item_size);
	return STATUS_OK;
}

/* The ranges come first, because the bins need them; a kind that stands twice is refused. */
static const struct {
	unsigned kind;
	enum status (*decode)(struct decoder *decoder, const struct capture_section *section);
} section_decoders[] = {
        {BAREPROF_SECTION_RANGES, decode_ranges},
        {BAREPROF_SECTION_BINS, decode_bins},
        {BAREPROF_SECTION_ARCS, decode_arcs},
};

#define SECTION_DECODERS (sizeof section_decoders / sizeof *section_decoders)

static enum status decode_directory(struct decoder *decoder, size_t size)
{
	struct capture_block *block = decoder->block;
	if (block->header.directory_count > SECTIONS_MAX)
		return status_fail(decoder->error, "%s: offset 0x%x: %u directory entries, expected at most %zu",
		                   decoder->where, BAREPROF_OFFSET_DIRECTORY_COUNT, block->header.directory_count,
		                   SECTIONS_MAX);
	for (unsigned i = 0; i < block->header.directory_count; i++) {
		enum status status = capture_section_decode(decoder->where, decoder->bytes, size, &block->header, i,
		                                            &block->sections[i], decoder->error);
		if (status != STATUS_OK)
			return status;
		block->section_count++;
	}
	return STATUS_OK;
}

static bool is_known_kind(unsigned kind)
{
	for (size_t i = 0; i < SECTION_DECODERS; i++)
		if (section_decoders[i].kind == kind)
			return true;
	return kind == BAREPROF_SECTION_UNUSED;
}

/* Decodes the one section of the decoder's kind, if there is one. */
static enum status decode_kind(struct decoder *decoder, size_t which)
{
	const struct capture_section *found = NULL;
	for (size_t i = 0; i < decoder->block->section_count; i++) {
		const struct capture_section *section = &decoder->block->sections[i];
		if (section->kind != section_decoders[which].kind)
			continue;
		if (found != NULL)
			return status_fail(
			        decoder->error, "%s: offset 0x%x: a second section of kind %u", decoder->where,
			        (unsigned)(BAREPROF_OFFSET_DIRECTORY + i * BAREPROF_ENTRY_SIZE), section->kind);
		found = section;
	}
	return found != NULL ? section_decoders[which].decode(decoder, found) : STATUS_OK;
}

enum status block_decode(const char *where, const uint8_t *bytes, size_t size, struct capture_block *block,
                         struct error *error)
{
	struct decoder decoder = {.where = where, .bytes = bytes, .block = block, .error = error};
	enum status status = capture_header_decode(where, bytes, size, &block->header, error);
	if (status != STATUS_OK)
		return status;
	if (block->header.block_size > size)
		return status_fail(error, "%s: cut after %zu bytes, the block has %u", where, size,
		                   block->header.block_size);
	status = decode_directory(&decoder, size);
	for (size_t i = 0; status == STATUS_OK && i < SECTION_DECODERS; i++)
		status = decode_kind(&decoder, i);
	for (size_t i = 0; i < block->section_count; i++)
		block->sections_skipped += !is_known_kind(block->sections[i].kind);
	return status;
}

void block_free(struct capture_block *block)
{
	free(block->cells);
	free(block->arcs);
}
