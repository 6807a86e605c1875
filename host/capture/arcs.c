/* SPDX-License-Identifier: MIT */
/* The decoder of the table of arcs, and their order. */
#include "capture/decoders.h"

#include "base/search.h"

#include <bareprof/block.h>
#include <stdlib.h>

static unsigned arc_count_size(const struct capture_section *section)
{
	return section->parameter & BAREPROF_ARC_WIDE_COUNT ? 8 : 4;
}

static bool arcs_have_context(const struct capture_section *section)
{
	return (section->parameter & BAREPROF_ARC_CONTEXT) != 0;
}

/* The recorder writes the callee last: a slot with a count but no callee was in flight when the block was read. */
static void decode_arc(struct block_decoder *decoder, const struct capture_section *section, const uint8_t *item)
{
	struct capture_block *block = decoder->block;
	const struct capture_order *order = &block->header.order;
	struct capture_arc arc = {
	        .caller = capture_address(order, item),
	        .callee = capture_address(order, item + order->address_size),
	        .count =
	                capture_counter(order, item + BAREPROF_ARC_COUNT(order->address_size), arc_count_size(section)),
	        .context = CAPTURE_NO_CONTEXT,
	};

	if (arc.count == 0)
		return;
	if (arc.callee == 0) {
		block->arcs_in_flight++;
		return;
	}
	if (arcs_have_context(section))
		arc.context =
		        capture_u32(order, item + BAREPROF_ARC_COUNT(order->address_size) + arc_count_size(section));
	block->arcs_saturated += counter_is_saturated(arc.count, arc_count_size(section));
	block->arcs[block->arc_count++] = arc;
}

enum status decode_arcs(struct block_decoder *decoder, const struct capture_section *section)
{
	struct capture_block *block = decoder->block;
	unsigned context_size = arcs_have_context(section) ? 4 : 0;
	unsigned item_size_min = 2 * block->header.order.address_size + arc_count_size(section) + context_size;

	if (section->item_size < item_size_min)
		return status_fail(decoder->error, "%s: offset 0x%x: arcs of %u bytes, expected at least %u",
		                   decoder->where, section->offset, section->item_size, item_size_min);
	block->arc_capacity = section->capacity;
	block->has_contexts = block->has_contexts || arcs_have_context(section);
	block->arcs = calloc(section->capacity + (size_t)1, sizeof *block->arcs);
	if (block->arcs == NULL)
		return status_no_memory(decoder->error, decoder->where);
	if (section->used == 0)
		return STATUS_OK;
	for (uint32_t i = 0; i < section->capacity; i++)
		decode_arc(decoder, section, decoder->bytes + section->offset + (size_t)i * section->item_size);
	return STATUS_OK;
}

int capture_compare_arcs(const void *left, const void *right)
{
	const struct capture_arc *a = left, *b = right;

	if (a->caller != b->caller)
		return compare_numbers(a->caller, b->caller);
	if (a->callee != b->callee)
		return compare_numbers(a->callee, b->callee);
	return compare_numbers(a->context, b->context);
}
