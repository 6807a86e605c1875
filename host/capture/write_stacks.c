/* SPDX-License-Identifier: MIT */
/* The writer of stacks in merged form: slices with their weights, wide nodes of trees, and totals of 64 bits. */
#include "capture/writer.h"

#include <bareprof/block.h>
#include <string.h>

#define WEIGHT_SIZE 8

unsigned writer_slice_size(const struct capture_block *block)
{
	return WEIGHT_SIZE + BAREPROF_SLICE_SIZE(block->header.order.address_size, block->slice_bytes);
}

unsigned writer_slice_parameter(const struct capture_block *block)
{
	return BAREPROF_SLICES_WEIGHTED | (block->slices_filtered ? BAREPROF_SLICES_FILTERED : 0);
}

static unsigned slice_flags_of(const struct capture_slice *slice)
{
	return (slice->is_bad ? BAREPROF_SLICE_IS_BAD : 0) | (slice->is_whole ? BAREPROF_SLICE_IS_WHOLE : 0) |
	       (slice->is_withheld ? BAREPROF_SLICE_IS_WITHHELD : 0);
}

/* The bits of a group of words that were kept, which the decoder stored from the lowest byte up. */
static uint64_t kept_bits_of_group(const struct capture_slice *slice, size_t first_word, unsigned address_size)
{
	uint64_t bits = 0;

	for (unsigned i = 0; i < address_size; i++)
		bits |= (uint64_t)slice->kept[first_word / 8 + i] << (8 * i);
	return bits;
}

static void put_groups(const struct writer *writer, uint64_t offset, const struct capture_slice *slice)
{
	const unsigned width = writer->block->header.order.address_size;
	const size_t words = slice->size / width;
	const uint8_t *from = slice->bytes;

	for (size_t first = 0; first < words; first += BAREPROF_SLICE_GROUP_WORDS(width)) {
		const uint64_t bits = kept_bits_of_group(slice, first, width);
		const size_t size = (size_t)__builtin_popcountll(bits) * width;

		writer_put(writer, offset, bits, width);
		memcpy(writer->bytes + offset + width, from, size);
		offset += width + size;
		from += size;
	}
}

static void put_stack(const struct writer *writer, uint64_t offset, const struct capture_slice *slice)
{
	if (slice->kept != NULL)
		put_groups(writer, offset, slice);
	else if (slice->size > 0)
		memcpy(writer->bytes + offset, slice->bytes, slice->size);
}

static void put_slice(const struct writer *writer, uint64_t item, const struct capture_slice *slice)
{
	const unsigned width = writer->block->header.order.address_size;
	const uint64_t offset = item + WEIGHT_SIZE;

	writer_put(writer, item, slice->weight, WEIGHT_SIZE);
	writer_put(writer, offset + BAREPROF_SLICE_NUMBER, slice->number, 4);
	writer_put(writer, offset + BAREPROF_SLICE_CONTEXT, slice->context, 4);
	writer_put(writer, offset + BAREPROF_SLICE_BYTES, slice->size, 2);
	writer_put(writer, offset + BAREPROF_SLICE_FLAGS, slice_flags_of(slice), 2);
	writer_put(writer, offset + BAREPROF_SLICE_ENTRY, slice->entry, 4);
	writer_put(writer, offset + BAREPROF_SLICE_PC, slice->pc, width);
	writer_put(writer, offset + BAREPROF_SLICE_LR(width), slice->lr, width);
	writer_put(writer, offset + BAREPROF_SLICE_SP(width), slice->sp, width);
	writer_put(writer, offset + BAREPROF_SLICE_FP(width), slice->fp, width);
	put_stack(writer, offset + BAREPROF_SLICE_WORDS(width), slice);
	writer_put(writer, item + BAREPROF_SLICE_NUMBER_AGAIN(writer_slice_size(writer->block)), slice->number, 4);
}

void writer_put_slices(const struct writer *writer, uint64_t offset)
{
	for (size_t i = 0; i < writer->block->slice_count; i++)
		put_slice(writer, offset + i * writer_slice_size(writer->block), &writer->block->slices[i]);
}

void writer_put_paths(const struct writer *writer, uint64_t offset)
{
	const unsigned width = writer->block->header.order.address_size;

	for (size_t i = 0; i < writer->block->path_node_count; i++, offset += BAREPROF_WIDE_PATH_SIZE(width)) {
		const struct capture_path_node *node = &writer->block->path_nodes[i];

		writer_put(writer, offset + BAREPROF_PATH_KEY(width), node->key, width);
		writer_put(writer, offset + BAREPROF_WIDE_PATH_PARENT(width), node->parent, 4);
		writer_put(writer, offset + BAREPROF_WIDE_PATH_FLAGS(width), node->kind | (unsigned)node->end << 8, 4);
		writer_put(writer, offset + BAREPROF_WIDE_PATH_COUNT(width), node->count, 8);
	}
}

void writer_put_stack_totals(const struct writer *writer, uint64_t offset)
{
	const struct capture_block *block = writer->block;
	const uint64_t totals[BAREPROF_STACK_TOTALS] = {
	        [BAREPROF_STACK_TOTAL_OFFERED] = block->stack_totals.offered,
	        [BAREPROF_STACK_TOTAL_BAD] = block->stack_totals.bad,
	        [BAREPROF_STACK_TOTAL_TIMED] = block->stack_totals.timed,
	        [BAREPROF_STACK_TOTAL_COST] = block->stack_totals.cost,
	        [BAREPROF_STACK_TOTAL_TREE_FULL] = block->stack_totals.tree_full,
	        [BAREPROF_STACK_TOTAL_TABLE_CRC] = block->stack_totals.table_crc,
	        [BAREPROF_STACK_TOTAL_IN_FLIGHT] = block->slices_in_flight,
	        [BAREPROF_STACK_TOTAL_PATHS_BAD] = block->path_nodes_bad,
	        [BAREPROF_STACK_TOTAL_SLICE_CAPACITY] = block->slice_capacity,
	        [BAREPROF_STACK_TOTAL_SLICE_BYTES] = block->slice_bytes,
	        [BAREPROF_STACK_TOTAL_PATH_CAPACITY] = block->path_node_capacity,
	        [BAREPROF_STACK_TOTAL_OVERRUNS] = block->stack_totals.overruns,
	};

	for (unsigned i = 0; i < BAREPROF_STACK_TOTALS; i++)
		writer_put(writer, offset + 8 * (uint64_t)i, totals[i], 8);
}
