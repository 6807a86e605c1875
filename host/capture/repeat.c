/* SPDX-License-Identifier: MIT */
/* Detects captures of the same run, or of two runs that are identical in an emulator, regardless of their time. */
#include "capture/capture.h"

static bool are_cells_same(const struct capture_block *one, const struct capture_block *other)
{
	for (size_t i = 0; i < one->cell_count; i++) {
		const struct capture_cell *a = &one->cells[i], *b = &other->cells[i];

		if (a->low != b->low || a->high != b->high || a->count != b->count || a->context != b->context)
			return false;
	}
	return true;
}

static bool are_arcs_same(const struct capture_block *one, const struct capture_block *other)
{
	for (size_t i = 0; i < one->arc_count; i++) {
		const struct capture_arc *a = &one->arcs[i], *b = &other->arcs[i];

		if (a->caller != b->caller || a->callee != b->callee || a->count != b->count ||
		    a->context != b->context)
			return false;
	}
	return true;
}

static bool is_block_same(const struct capture_block *one, const struct capture_block *other)
{
	return one->header.core == other->header.core && one->header.ticks == other->header.ticks &&
	       one->header.samples_outside == other->header.samples_outside && one->cell_count == other->cell_count &&
	       one->arc_count == other->arc_count && are_cells_same(one, other) && are_arcs_same(one, other);
}

bool capture_is_repeat(const struct capture *capture, const struct capture *other)
{
	if (capture->block_count != other->block_count)
		return false;
	for (size_t i = 0; i < capture->block_count; i++)
		if (!is_block_same(&capture->blocks[i], &other->blocks[i]))
			return false;
	return true;
}
