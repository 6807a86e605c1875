/* SPDX-License-Identifier: MIT */
/*
 * The writer of captures in merged form: the header of a block, then contexts, arcs, samples by range of code, totals
 * and, if there are any, stacks, with all counts 64 bits wide (docs/FORMAT.md, section 12). Blocks from a target are
 * copied byte for byte instead.
 */
#include "base/file/file.h"
#include "capture/writer.h"

#include <bareprof/block.h>
#include <stdlib.h>
#include <string.h>

#define TRAILER_ROOM 1024
#define CONTEXT_SIZE (BAREPROF_CONTEXT_SWITCHES + 8)
#define RANGES_MAX   (sizeof((struct capture_block *)0)->ranges / sizeof(struct capture_range))

/* The last three are written only if there are stacks. */
enum { RANGES, CONTEXTS, ARCS, STRETCHES, TOTALS, STACK_TOTALS, SLICES, PATHS, SECTIONS };

struct section {
	unsigned kind, parameter, item_size;
	uint64_t offset, count;
};

struct block_layout {
	struct section sections[SECTIONS];
	unsigned section_count;
	uint64_t header_size, size;
};

static uint64_t align_offset(uint64_t offset)
{
	return (offset + 7) & ~UINT64_C(7);
}

static struct block_layout lay_out_block(const struct capture_block *block)
{
	unsigned address_size = block->header.order.address_size;
	unsigned arc_size = 2 * address_size + 8 + (block->has_contexts ? 4 : 0);
	struct block_layout layout = {
	        .sections = {[RANGES] = {BAREPROF_SECTION_RANGES, 0, 2 * address_size, 0, RANGES_MAX},
	                     [CONTEXTS] = {BAREPROF_SECTION_CONTEXTS,
	                                   BAREPROF_CONTEXT_WIDE_COUNT |
	                                           (block->contexts_refused != 0 ? BAREPROF_CONTEXT_OTHERS : 0),
	                                   CONTEXT_SIZE, 0, block->context_count},
	                     [ARCS] = {BAREPROF_SECTION_ARCS,
	                               BAREPROF_ARC_WIDE_COUNT | (block->has_contexts ? BAREPROF_ARC_CONTEXT : 0),
	                               arc_size, 0, block->arc_count},
	                     [STRETCHES] = {BAREPROF_SECTION_STRETCHES, 0, BAREPROF_STRETCH_SIZE(address_size), 0,
	                                    block->cell_count},
	                     [TOTALS] = {BAREPROF_SECTION_TOTALS, 0, 8, 0, BAREPROF_TOTALS},
	                     [STACK_TOTALS] = {BAREPROF_SECTION_STACK_TOTALS, 0, 8, 0, BAREPROF_STACK_TOTALS},
	                     [SLICES] = {BAREPROF_SECTION_SLICES, writer_slice_parameter(block),
	                                 writer_slice_size(block), 0, block->slice_count},
	                     [PATHS] = {BAREPROF_SECTION_PATHS, BAREPROF_PATHS_WIDE,
	                                BAREPROF_WIDE_PATH_SIZE(address_size), 0, block->path_node_count}},
	        .section_count = block->has_stack_totals ? SECTIONS : STACK_TOTALS,
	};

	layout.size = BAREPROF_OFFSET_DIRECTORY + layout.section_count * BAREPROF_ENTRY_SIZE;
	for (unsigned i = 0; i < layout.section_count; i++) {
		struct section *section = &layout.sections[i];

		section->offset = layout.size;
		layout.size = align_offset(layout.size + section->count * section->item_size);
		if (i == RANGES)
			layout.header_size = layout.size;
	}
	/* If this section is present, decoders assume that arcs and samples have contexts. */
	if (!block->has_contexts)
		layout.sections[CONTEXTS].kind = BAREPROF_SECTION_UNUSED;
	return layout;
}

/* The header's words are too narrow for sums. Decoders that do not know the section of totals see the header's
 * saturated counts. */
static void put_narrow(const struct writer *writer, uint64_t offset, uint64_t value)
{
	writer_put(writer, offset, value > UINT32_MAX ? UINT32_MAX : value, 4);
}

static void put_identity(const struct writer *writer)
{
	const struct capture_header *header = &writer->block->header;

	writer_put(writer, BAREPROF_OFFSET_IDENTITY_KIND, header->identity_kind, 1);
	writer_put(writer, BAREPROF_OFFSET_IDENTITY_SIZE, header->identity_size, 1);
	writer_put(writer, BAREPROF_OFFSET_CORE, header->core, 1);
	memcpy(writer->bytes + BAREPROF_OFFSET_IDENTITY, header->identity, sizeof header->identity);
	memcpy(writer->bytes + BAREPROF_OFFSET_BOARD, header->board, strnlen(header->board, BAREPROF_BOARD_CAPACITY));
}

static void put_counts(const struct writer *writer)
{
	const struct capture_header *header = &writer->block->header;
	uint64_t missed = header->ticks_missed;

	put_narrow(writer, BAREPROF_OFFSET_RESET_COUNT, header->reset_count);
	put_narrow(writer, BAREPROF_OFFSET_TICKS, header->ticks);
	/* The largest known value: BAREPROF_UNKNOWN would mean unknown. */
	put_narrow(writer, BAREPROF_OFFSET_TICKS_MISSED,
	           missed != CAPTURE_UNKNOWN && missed >= BAREPROF_UNKNOWN ? BAREPROF_UNKNOWN - 1 : missed);
	put_narrow(writer, BAREPROF_OFFSET_SAMPLES_OUTSIDE, header->samples_outside);
	put_narrow(writer, BAREPROF_OFFSET_SAMPLES_TABLE_FULL, header->samples_table_full);
	put_narrow(writer, BAREPROF_OFFSET_ARCS_DROPPED, header->arcs_dropped);
	put_narrow(writer, BAREPROF_OFFSET_SATURATED, header->saturated);
}

static void put_block_header(const struct writer *writer, const struct block_layout *layout)
{
	const struct capture_header *header = &writer->block->header;

	memcpy(writer->bytes, BAREPROF_MAGIC, BAREPROF_MAGIC_SIZE);
	writer_put(writer, BAREPROF_OFFSET_BYTE_ORDER, BAREPROF_BYTE_ORDER_MARK, 2);
	writer_put(writer, BAREPROF_OFFSET_MAJOR, BAREPROF_FORMAT_MAJOR, 1);
	writer_put(writer, BAREPROF_OFFSET_MINOR, BAREPROF_FORMAT_MERGED, 1);
	writer_put(writer, BAREPROF_OFFSET_ADDRESS_SIZE, header->order.address_size, 1);
	writer_put(writer, BAREPROF_OFFSET_DIRECTORY_COUNT, layout->section_count, 1);
	writer_put(writer, BAREPROF_OFFSET_HEADER_SIZE, layout->header_size, 2);
	writer_put(writer, BAREPROF_OFFSET_BLOCK_ADDRESS, header->block_address, 8);
	writer_put(writer, BAREPROF_OFFSET_BLOCK_SIZE, layout->size, 4);
	writer_put(writer, BAREPROF_OFFSET_CLOCK_HZ, header->clock_hz, 4);
	writer_put(writer, BAREPROF_OFFSET_PERIOD, header->period, 4);
	writer_put(writer, BAREPROF_OFFSET_GATE, BAREPROF_GATE(header->block_address, header->state), 4);
	writer_put(writer, BAREPROF_OFFSET_EPOCH, header->epoch, 4);
	put_counts(writer);
	put_identity(writer);
}

static void put_directory(const struct writer *writer, const struct block_layout *layout)
{
	for (unsigned i = 0; i < layout->section_count; i++) {
		const struct section *section = &layout->sections[i];
		size_t entry = BAREPROF_OFFSET_DIRECTORY + (size_t)i * BAREPROF_ENTRY_SIZE;

		writer_put(writer, entry + BAREPROF_ENTRY_KIND, section->kind, 1);
		writer_put(writer, entry + BAREPROF_ENTRY_PARAMETER, section->parameter, 1);
		writer_put(writer, entry + BAREPROF_ENTRY_ITEM_SIZE, section->item_size, 2);
		writer_put(writer, entry + BAREPROF_ENTRY_OFFSET, section->offset, 4);
		writer_put(writer, entry + BAREPROF_ENTRY_CAPACITY, section->count, 4);
		writer_put(writer, entry + BAREPROF_ENTRY_USED, section->count, 4);
	}
}

static void put_code_ranges(const struct writer *writer, uint64_t offset)
{
	unsigned address_size = writer->block->header.order.address_size;

	for (size_t i = 0; i < writer->block->range_count; i++) {
		writer_put(writer, offset + 2 * i * address_size, writer->block->ranges[i].start, address_size);
		writer_put(writer, offset + (2 * i + 1) * address_size, writer->block->ranges[i].end, address_size);
	}
}

static void put_contexts(const struct writer *writer, uint64_t offset)
{
	const struct capture_block *block = writer->block;

	for (size_t i = 0; i < block->context_count; i++, offset += CONTEXT_SIZE) {
		const struct capture_context *context = &block->contexts[i];

		if (block->contexts_refused != 0 && i + 1 == block->context_count)
			writer_put(writer, offset, block->contexts_refused, 4);
		else
			memcpy(writer->bytes + offset, context->name, BAREPROF_CONTEXT_NAME_CAPACITY);
		writer_put(writer, offset + BAREPROF_CONTEXT_SWITCHES, context->switches, 8);
	}
}

static void put_capture_arc(const struct writer *writer, uint64_t offset, const struct capture_arc *arc)
{
	unsigned address_size = writer->block->header.order.address_size;

	writer_put(writer, offset + BAREPROF_ARC_CALLER(address_size), arc->caller, address_size);
	writer_put(writer, offset + BAREPROF_ARC_CALLEE(address_size), arc->callee, address_size);
	writer_put(writer, offset + BAREPROF_ARC_COUNT(address_size), arc->count, 8);
	if (writer->block->has_contexts)
		writer_put(writer, offset + BAREPROF_ARC_COUNT(address_size) + 8, arc->context, 4);
}

static void put_code_range(const struct writer *writer, uint64_t offset, const struct capture_cell *cell)
{
	unsigned address_size = writer->block->header.order.address_size;

	writer_put(writer, offset, cell->low, address_size);
	writer_put(writer, offset + BAREPROF_STRETCH_BYTES(address_size), cell->high - cell->low, address_size);
	writer_put(writer, offset + BAREPROF_STRETCH_COUNT(address_size), cell->count, 8);
	writer_put(writer, offset + BAREPROF_STRETCH_CONTEXT(address_size), cell->context, 4);
	writer_put(writer, offset + BAREPROF_STRETCH_FLAGS(address_size),
	           cell->is_coarse ? BAREPROF_STRETCH_IS_COARSE : 0, 4);
}

static uint64_t total_flags_of(const struct capture_block *block)
{
	return (block->is_gmon ? BAREPROF_TOTAL_IS_GMON : 0) |
	       (block->is_contradictory ? BAREPROF_TOTAL_IS_CONTRADICTORY : 0) |
	       (block->is_sampled ? BAREPROF_TOTAL_IS_SAMPLED : 0) |
	       (block->distances == CAPTURE_DISTANCES_FIXED ? BAREPROF_TOTAL_IS_FIXED : 0) |
	       (block->distances == CAPTURE_DISTANCES_RANDOM ? BAREPROF_TOTAL_IS_DITHERED : 0);
}

static void put_totals(const struct writer *writer, uint64_t offset)
{
	const struct capture_block *block = writer->block;
	const struct capture_header *header = &block->header;
	const uint64_t totals[BAREPROF_TOTALS] = {
	        [BAREPROF_TOTAL_BLOCKS] = block->merged_count > 0 ? block->merged_count : 1,
	        [BAREPROF_TOTAL_FLAGS] = total_flags_of(block),
	        [BAREPROF_TOTAL_TICKS] = header->ticks,
	        [BAREPROF_TOTAL_TICKS_MISSED] = header->ticks_missed,
	        [BAREPROF_TOTAL_SKEW] = block->has_skew ? block->ticks_after - block->ticks_before : CAPTURE_UNKNOWN,
	        [BAREPROF_TOTAL_SAMPLES_OUTSIDE] = header->samples_outside,
	        [BAREPROF_TOTAL_TABLE_FULL] = header->samples_table_full,
	        [BAREPROF_TOTAL_ARCS_DROPPED] = header->arcs_dropped,
	        [BAREPROF_TOTAL_ARCS_IN_FLIGHT] = block->arcs_in_flight,
	        [BAREPROF_TOTAL_SATURATED] = header->saturated,
	        [BAREPROF_TOTAL_CELLS_SATURATED] = block->cells_saturated,
	        [BAREPROF_TOTAL_ARCS_SATURATED] = block->arcs_saturated,
	        [BAREPROF_TOTAL_RESETS] = header->reset_count,
	        [BAREPROF_TOTAL_SECTIONS_SKIPPED] = block->sections_skipped,
	        [BAREPROF_TOTAL_BIN_SIZE] = block->bin_size,
	        [BAREPROF_TOTAL_GRANULE_SIZE] = block->granule_size,
	        [BAREPROF_TOTAL_COARSE_SIZE] = block->coarse_size,
	        [BAREPROF_TOTAL_GRANULE_CAPACITY] = block->granule_capacity,
	        [BAREPROF_TOTAL_ARC_CAPACITY] = block->arc_capacity,
	        [BAREPROF_TOTAL_TICK_COST] = block->has_tick_cost ? block->tick_cost : CAPTURE_UNKNOWN,
	};

	for (unsigned i = 0; i < BAREPROF_TOTALS; i++)
		writer_put(writer, offset + 8 * (uint64_t)i, totals[i], 8);
}

static void put_block(const struct writer *writer, const struct block_layout *layout)
{
	const struct capture_block *block = writer->block;
	const struct section *arcs = &layout->sections[ARCS], *ranges = &layout->sections[STRETCHES];

	put_block_header(writer, layout);
	put_directory(writer, layout);
	put_code_ranges(writer, layout->sections[RANGES].offset);
	put_contexts(writer, layout->sections[CONTEXTS].offset);
	for (size_t i = 0; i < block->arc_count; i++)
		put_capture_arc(writer, arcs->offset + i * arcs->item_size, &block->arcs[i]);
	for (size_t i = 0; i < block->cell_count; i++)
		put_code_range(writer, ranges->offset + i * ranges->item_size, &block->cells[i]);
	put_totals(writer, layout->sections[TOTALS].offset);
	if (!block->has_stack_totals)
		return;
	writer_put_stack_totals(writer, layout->sections[STACK_TOTALS].offset);
	writer_put_slices(writer, layout->sections[SLICES].offset);
	writer_put_paths(writer, layout->sections[PATHS].offset);
}

/* Computes the size of all blocks; refuses a file too large to be read again. */
static enum status measure_blocks(const struct capture *capture, size_t *size, struct error *error)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < capture->block_count; i++) {
		uint64_t more = lay_out_block(&capture->blocks[i]).size;

		if (more > FILE_SIZE_MAX - TRAILER_ROOM - sum)
			return status_fail(error, "%s: the sum is larger than %zu bytes, the largest supported input",
			                   capture->path, FILE_SIZE_MAX);
		sum += more;
	}
	*size = (size_t)sum;
	return STATUS_OK;
}

enum status capture_write(const struct capture *capture, uint8_t **file, size_t *size, struct error *error)
{
	size_t room = 0;
	enum status status = measure_blocks(capture, &room, error);

	if (status != STATUS_OK)
		return status;
	uint8_t *blocks = calloc(1, room + 1), *at = blocks;
	if (blocks == NULL)
		return status_no_memory(error, capture->path);
	for (size_t i = 0; i < capture->block_count; i++) {
		const struct writer writer = {.bytes = at, .block = &capture->blocks[i]};
		const struct block_layout layout = lay_out_block(&capture->blocks[i]);

		put_block(&writer, &layout);
		at += layout.size;
	}
	const struct capture_trailer trailer = {
	        .source = capture->source[0] != '\0' ? capture->source : NULL,
	        .time = capture->time,
	        .has_code_crc = capture->has_code_crc,
	        .code_crc = capture->code_crc,
	};
	status = capture_encode(blocks, room, &trailer, file, size, error);
	free(blocks);
	return status;
}
