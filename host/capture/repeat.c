/* SPDX-License-Identifier: MIT */
/* Detection of captures with the same content: one run pulled twice, or two runs that are identical in an emulator. */
#include "capture/capture.h"

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

static bool is_same_block(const struct capture_block *one, const struct capture_block *other)
{
	return one->header.core == other->header.core && one->header.ticks == other->header.ticks &&
	       one->header.samples_outside == other->header.samples_outside && one->cell_count == other->cell_count &&
	       one->arc_count == other->arc_count && have_same_cells(one, other) && have_same_arcs(one, other);
}

bool capture_is_repeat(const struct capture *capture, const struct capture *other)
{
	if (capture->block_count != other->block_count)
		return false;
	for (size_t i = 0; i < capture->block_count; i++)
		if (!is_same_block(&capture->blocks[i], &other->blocks[i]))
			return false;
	return true;
}
