/* SPDX-License-Identifier: MIT */
/* The decoder of slices of stacks. */
#include "base/search.h"
#include "capture/count.h"
#include "capture/decoders.h"

#include <bareprof/block.h>
#include <stdlib.h>
#include <string.h>

#define WEIGHT_SIZE 8

/* Where the parts of an item are. */
struct slice_layout {
	const struct capture_order *order;
	size_t first; /* offset of the slice, which follows its weight */
	size_t room;  /* bytes for the stack */
};

static bool is_filtered(const struct capture_section *section)
{
	return (section->parameter & BAREPROF_SLICES_FILTERED) != 0;
}

static bool is_weighted(const struct capture_section *section)
{
	return (section->parameter & BAREPROF_SLICES_WEIGHTED) != 0;
}

/* Copies the groups of a filtered slice to memory of the same size, all bits before all words. False if they do not fit
 * into the item. */
static bool decode_groups(const struct slice_layout *layout, const uint8_t *groups, struct capture_slice *slice,
                          uint8_t *memory)
{
	const unsigned width = layout->order->address_size, group = BAREPROF_SLICE_GROUP_WORDS(width);
	const size_t words = slice->size / width, bits_size = (words + group - 1) / group * width;
	size_t from = 0, to = bits_size;

	if (slice->size % width != 0 || bits_size > layout->room)
		return false;
	for (size_t first = 0; first < words; first += group) {
		const unsigned count = words - first < group ? (unsigned)(words - first) : group;

		if (layout->room - from < width)
			return false;
		uint64_t bits = capture_address(layout->order, groups + from) & UINT64_MAX >> (64 - count);
		size_t size = (size_t)__builtin_popcountll(bits) * width;
		from += width;
		if (layout->room - from < size)
			return false;
		for (unsigned i = 0; i < width; i++)
			memory[first / 8 + i] = (uint8_t)(bits >> (8 * i));
		memcpy(memory + to, groups + from, size);
		from += size;
		to += size;
	}
	slice->kept = memory;
	slice->bytes = memory + bits_size;
	return true;
}

static bool decode_stack(const struct slice_layout *layout, const uint8_t *stack, bool filtered,
                         struct capture_slice *slice, uint8_t *memory)
{
	if (filtered)
		return decode_groups(layout, stack, slice, memory);
	if (slice->size > layout->room)
		return false;
	memcpy(memory, stack, slice->size);
	slice->bytes = memory;
	return true;
}

static struct capture_slice decode_registers(const struct capture_order *order, const uint8_t *bytes)
{
	const unsigned flags = capture_u16(order, bytes + BAREPROF_SLICE_FLAGS);

	return (struct capture_slice){
	        .number = capture_u32(order, bytes + BAREPROF_SLICE_NUMBER),
	        .context = capture_u32(order, bytes + BAREPROF_SLICE_CONTEXT),
	        .pc = capture_address(order, bytes + BAREPROF_SLICE_PC),
	        .lr = capture_address(order, bytes + BAREPROF_SLICE_LR(order->address_size)),
	        .sp = capture_address(order, bytes + BAREPROF_SLICE_SP(order->address_size)),
	        .fp = capture_address(order, bytes + BAREPROF_SLICE_FP(order->address_size)),
	        .entry = capture_u32(order, bytes + BAREPROF_SLICE_ENTRY),
	        .is_bad = (flags & BAREPROF_SLICE_IS_BAD) != 0,
	        .is_whole = (flags & BAREPROF_SLICE_IS_WHOLE) != 0,
	        .is_withheld = (flags & BAREPROF_SLICE_IS_WITHHELD) != 0,
	        .size = capture_u16(order, bytes + BAREPROF_SLICE_BYTES),
	};
}

/*
 * The recorder sets the number at the front to 0 first. When the slice is complete, it writes the tick's number at both
 * ends, so a slice whose numbers differ was being written. A slice that claims more stack than it has room for was not
 * written by a recorder; it also counts as in flight.
 */
static void decode_slice(struct capture_block *block, const struct slice_layout *layout,
                         const struct capture_section *section, const uint8_t *item, uint8_t *memory)
{
	const struct capture_order *order = layout->order;
	const uint8_t *bytes = item + layout->first;
	struct capture_slice slice = decode_registers(order, bytes);
	const uint32_t again = capture_u32(order, item + BAREPROF_SLICE_NUMBER_AGAIN(section->item_size));

	if (slice.number == 0 && again == 0)
		return;
	if (is_weighted(section))
		slice.weight = capture_u64(order, item);
	if (slice.number == again && (slice.weight > 0 || !is_weighted(section)) &&
	    decode_stack(layout, bytes + BAREPROF_SLICE_WORDS(order->address_size), is_filtered(section), &slice,
	                 memory))
		block->slices[block->slice_count++] = slice;
	else
		count_add(&block->slices_in_flight, 1);
}

/* By number; slices with the same number by their place in the table. */
static int compare_slices(const void *left, const void *right)
{
	const struct capture_slice *a = left, *b = right;

	if (a->number != b->number)
		return compare_numbers(a->number, b->number);
	return (a->bytes > b->bytes) - (a->bytes < b->bytes);
}

static void sort_slices(struct capture_block *block)
{
	size_t kept = 0;

	if (block->slice_count > 0)
		qsort(block->slices, block->slice_count, sizeof *block->slices, compare_slices);
	for (size_t i = 0; i < block->slice_count; i++)
		if (kept == 0 || block->slices[kept - 1].number != block->slices[i].number)
			block->slices[kept++] = block->slices[i];
	count_add(&block->slices_in_flight, block->slice_count - kept);
	block->slice_count = kept;
}

static enum status check_slice_size(struct block_decoder *decoder, const struct capture_section *section,
                                    struct slice_layout *layout)
{
	const struct capture_order *order = &decoder->block->header.order;
	const unsigned first = is_weighted(section) ? WEIGHT_SIZE : 0;
	const unsigned empty = first + BAREPROF_SLICE_SIZE(order->address_size, 0);

	if (section->item_size < empty || section->item_size - empty > SLICE_ROOM_MAX)
		return status_fail(decoder->error, "%s: offset 0x%x: slices of %u bytes, expected %u to %u",
		                   decoder->where, section->offset, section->item_size, empty, empty + SLICE_ROOM_MAX);
	*layout = (struct slice_layout){order, first, section->item_size - empty};
	return STATUS_OK;
}

enum status decode_slices(struct block_decoder *decoder, const struct capture_section *section)
{
	struct capture_block *block = decoder->block;
	struct slice_layout layout = {0};
	enum status status = check_slice_size(decoder, section, &layout);

	if (status != STATUS_OK)
		return status;
	const size_t memory_each = layout.room + 1;
	block->has_stack_totals = true;
	block->slice_capacity = section->capacity;
	block->slice_bytes = (uint32_t)layout.room;
	block->slices_filtered = is_filtered(section);
	block->slices = calloc(section->capacity + (size_t)1, sizeof *block->slices);
	block->slice_memory = calloc(section->capacity + (size_t)1, memory_each);
	if (block->slices == NULL || block->slice_memory == NULL)
		return status_no_memory(decoder->error, decoder->where);
	for (uint32_t i = 0; section->used > 0 && i < section->capacity; i++)
		decode_slice(block, &layout, section, decoder->bytes + section->offset + (size_t)i * section->item_size,
		             block->slice_memory + i * memory_each);
	sort_slices(block);
	return STATUS_OK;
}

/* The recorder's reservoir is a uniform sample of all ticks that offered a slice. If the target ran while it was read,
 * the block may have more slices than had been offered when the totals were read. */
static uint64_t weight_of_each(uint64_t offered, uint64_t kept)
{
	if (offered <= kept)
		return BAREPROF_SLICE_WEIGHT;
	if (offered / kept >= UINT64_MAX / BAREPROF_SLICE_WEIGHT)
		return UINT64_MAX;
	return offered / kept * BAREPROF_SLICE_WEIGHT + offered % kept * BAREPROF_SLICE_WEIGHT / kept;
}

void weigh_slices(struct capture_block *block)
{
	if (block->slice_count == 0)
		return;
	const uint64_t weight = weight_of_each(block->stack_totals.offered, block->slice_count);
	for (size_t i = 0; i < block->slice_count; i++)
		if (block->slices[i].weight == 0)
			block->slices[i].weight = weight;
}
