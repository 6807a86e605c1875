/* SPDX-License-Identifier: MIT */
/* The decoder of one block: its directory, its ranges and, through their own decoders, its other sections. */
#include "capture/decoders.h"

#include <bareprof/block.h>
#include <inttypes.h>
#include <stdlib.h>

#define SECTIONS_MAX (sizeof((struct capture_block *)0)->sections / sizeof(struct capture_section))
#define RANGES_MAX   (sizeof((struct capture_block *)0)->ranges / sizeof(struct capture_range))

/* An empty range overlaps none, wherever it is. */
static bool ranges_overlap(const struct capture_range *left, const struct capture_range *right)
{
	return left->start < right->end && right->start < left->end && right->start < right->end;
}

static enum status check_block_range(struct block_decoder *decoder, const struct capture_range *range, size_t offset)
{
	if (range->end < range->start)
		return status_fail(decoder->error,
		                   "%s: offset 0x%zx: range 0x%" PRIx64 "..0x%" PRIx64 " ends before it starts",
		                   decoder->where, offset, range->start, range->end);
	for (const struct capture_range *other = decoder->block->ranges; other < range; other++)
		if (ranges_overlap(other, range))
			return status_fail(decoder->error,
			                   "%s: offset 0x%zx: range 0x%" PRIx64 "..0x%" PRIx64
			                   " overlaps another: separate the ranges in BAREPROF_DEFINE",
			                   decoder->where, offset, range->start, range->end);
	return STATUS_OK;
}

static enum status decode_ranges(struct block_decoder *decoder, const struct capture_section *section)
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
		struct capture_range *range = &block->ranges[block->range_count];

		range->start = capture_address(order, item);
		range->end = capture_address(order, item + order->address_size);
		enum status status = check_block_range(decoder, range, offset);
		if (status != STATUS_OK)
			return status;
		block->range_count += range->end > range->start;
	}
	return STATUS_OK;
}

/* Ranges come before the bins, which need them, and contexts before samples and arcs. Totals of stacks come after the
 * stacks and totals last, because totals replace counts found before. A kind that occurs twice is refused. */
static const struct {
	unsigned kind;
	enum status (*decode)(struct block_decoder *decoder, const struct capture_section *section);
} section_decoders[] = {
        {BAREPROF_SECTION_RANGES, decode_ranges},
        {BAREPROF_SECTION_CONTEXTS, decode_contexts},
        {BAREPROF_SECTION_BINS, decode_bins},
        {BAREPROF_SECTION_GRANULES, decode_granules},
        {BAREPROF_SECTION_COARSE, decode_coarse},
        {BAREPROF_SECTION_ARCS, decode_arcs},
        {BAREPROF_SECTION_STRETCHES, decode_code_ranges},
        {BAREPROF_SECTION_SLICES, decode_slices},
        {BAREPROF_SECTION_PATHS, decode_path_nodes},
        {BAREPROF_SECTION_STACK_TOTALS, decode_stack_totals},
        {BAREPROF_SECTION_TOTALS, decode_totals},
};

#define SECTION_DECODERS (sizeof section_decoders / sizeof *section_decoders)

static enum status decode_directory(struct block_decoder *decoder, size_t size)
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

#define MINOR_WITH_TICK_COST 2

static enum capture_distances distances_of(uint32_t random, uint32_t period)
{
	if (random == 0)
		return CAPTURE_DISTANCES_FIXED;
	if (period == 0)
		return CAPTURE_DISTANCES_UNKNOWN;
	return period < BAREPROF_DITHERED_PERIOD_MIN ? CAPTURE_DISTANCES_FIXED : CAPTURE_DISTANCES_RANDOM;
}

/* The cost is in the tail of the header, after the ranges. */
static void decode_distances(struct block_decoder *decoder)
{
	struct capture_block *block = decoder->block;
	const struct capture_header *header = &block->header;

	if (header->minor < MINOR_WITH_TICK_COST)
		return;
	block->distances =
	        distances_of(capture_u32(&header->order, decoder->bytes + BAREPROF_OFFSET_RANDOM), header->period);
	size_t offset = BAREPROF_OFFSET_TICK_COST(header->directory_count, header->order.address_size);
	uint32_t cost = offset + 4 <= header->header_size ? capture_u32(&header->order, decoder->bytes + offset) : 0;
	block->has_tick_cost = cost != 0;
	block->tick_cost = header->ticks * cost;
}

/* Decodes the section of the kind with this index, if there is one. */
static enum status decode_kind(struct block_decoder *decoder, size_t index)
{
	const struct capture_section *found = NULL;

	for (size_t i = 0; i < decoder->block->section_count; i++) {
		const struct capture_section *section = &decoder->block->sections[i];

		if (section->kind != section_decoders[index].kind)
			continue;
		if (found != NULL)
			return status_fail(
			        decoder->error, "%s: offset 0x%x: a second section of kind %u", decoder->where,
			        (unsigned)(BAREPROF_OFFSET_DIRECTORY + i * BAREPROF_ENTRY_SIZE), section->kind);
		found = section;
	}
	return found != NULL ? section_decoders[index].decode(decoder, found) : STATUS_OK;
}

enum status block_decode(const char *where, const uint8_t *bytes, size_t size, struct capture_block *block,
                         struct error *error)
{
	struct block_decoder decoder = {.where = where, .bytes = bytes, .block = block, .error = error};
	enum status status = capture_header_decode(where, bytes, size, &block->header, error);

	if (status != STATUS_OK)
		return status;
	if (block->header.block_size > size)
		return status_fail(error, "%s: truncated at byte %zu: expected %u bytes; pull it again", where, size,
		                   block->header.block_size);
	status = decode_directory(&decoder, size);
	decode_distances(&decoder);
	for (size_t i = 0; status == STATUS_OK && i < SECTION_DECODERS; i++)
		status = decode_kind(&decoder, i);
	if (status == STATUS_OK && !sort_cells(block))
		status = status_no_memory(error, where);
	weigh_slices(block);
	for (size_t i = 0; i < block->section_count; i++)
		block->sections_skipped += !is_known_kind(block->sections[i].kind);
	return status;
}

void block_free(struct capture_block *block)
{
	free(block->cells);
	free(block->arcs);
	free(block->contexts);
	free(block->slices);
	free(block->slice_memory);
	free(block->path_nodes);
}

/* The sampling interrupt never samples itself, so its part of each period is computed from its cost instead. */
enum capture_handler capture_handler_part(const struct capture_block *block, double *part)
{
	const struct capture_header *header = &block->header;

	*part = 0;
	if (header->ticks == 0)
		return CAPTURE_HANDLER_KNOWN;
	if (!block->has_tick_cost || header->period == 0)
		return block->is_sampled ? CAPTURE_HANDLER_KNOWN : CAPTURE_HANDLER_UNKNOWN;
	double handler = (double)block->tick_cost / ((double)header->ticks * header->period);
	if (handler >= 1)
		return CAPTURE_HANDLER_IMPOSSIBLE;
	*part = handler;
	return CAPTURE_HANDLER_KNOWN;
}

const char *capture_distances_name(enum capture_distances distances)
{
	static const char *const names[] = {
	        [CAPTURE_DISTANCES_UNKNOWN] = "unknown",
	        [CAPTURE_DISTANCES_RANDOM] = "random",
	        [CAPTURE_DISTANCES_FIXED] = "fixed",
	};

	return names[distances];
}
