/* SPDX-License-Identifier: MIT */
/* Detection of captures with the same content: one run pulled twice, or two runs that are identical in an emulator. */
#include "capture/capture.h"

#include "capture/stacks.h"

#include <string.h>

static bool have_same_cells(const struct capture_block *one, const struct capture_block *other)
{
	for (size_t i = 0; i < one->cell_count; i++) {
		const struct capture_cell *a = &one->cells[i], *b = &other->cells[i];

		if (a->low != b->low || a->high != b->high || a->count != b->count || a->context != b->context)
			return false;
	}
	return true;
}

static bool have_same_arcs(const struct capture_block *one, const struct capture_block *other)
{
	for (size_t i = 0; i < one->arc_count; i++) {
		const struct capture_arc *a = &one->arcs[i], *b = &other->arcs[i];

		if (a->caller != b->caller || a->callee != b->callee || a->count != b->count ||
		    a->context != b->context)
			return false;
	}
	return true;
}

static bool has_same_stack(const struct capture_slice *one, const struct capture_slice *other, unsigned address_size)
{
	const size_t size = slice_memory_size(one, address_size);

	return one->size == other->size && (one->kept == NULL) == (other->kept == NULL) &&
	       size == slice_memory_size(other, address_size) &&
	       memcmp(one->kept != NULL ? one->kept : one->bytes, other->kept != NULL ? other->kept : other->bytes,
	              size) == 0;
}

static bool have_same_slices(const struct capture_block *one, const struct capture_block *other)
{
	for (size_t i = 0; i < one->slice_count; i++) {
		const struct capture_slice *a = &one->slices[i], *b = &other->slices[i];

		if (a->number != b->number || a->context != b->context || a->pc != b->pc || a->lr != b->lr ||
		    a->sp != b->sp || a->fp != b->fp || a->entry != b->entry || a->weight != b->weight ||
		    !has_same_stack(a, b, one->header.order.address_size))
			return false;
	}
	return true;
}

static bool have_same_paths(const struct capture_block *one, const struct capture_block *other)
{
	for (size_t i = 0; i < one->path_node_count; i++) {
		const struct capture_path_node *a = &one->path_nodes[i], *b = &other->path_nodes[i];

		if (a->key != b->key || a->parent != b->parent || a->kind != b->kind || a->end != b->end ||
		    a->count != b->count)
			return false;
	}
	return true;
}

static bool have_same_stacks(const struct capture_block *one, const struct capture_block *other)
{
	return one->header.order.address_size == other->header.order.address_size &&
	       one->stack_totals.offered == other->stack_totals.offered && one->slice_count == other->slice_count &&
	       one->path_node_count == other->path_node_count && have_same_slices(one, other) &&
	       have_same_paths(one, other);
}

static bool has_same_content(const struct capture_block *one, const struct capture_block *other)
{
	return one->header.core == other->header.core && one->header.ticks == other->header.ticks &&
	       one->header.samples_outside == other->header.samples_outside && one->cell_count == other->cell_count &&
	       one->arc_count == other->arc_count && have_same_cells(one, other) && have_same_arcs(one, other) &&
	       have_same_stacks(one, other);
}

bool capture_is_repeat(const struct capture *capture, const struct capture *other)
{
	if (capture->block_count != other->block_count)
		return false;
	for (size_t i = 0; i < capture->block_count; i++)
		if (!has_same_content(&capture->blocks[i], &other->blocks[i]))
			return false;
	return true;
}
