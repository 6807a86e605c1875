/* SPDX-License-Identifier: MIT */
/*
 * The length that cut slices need, see measure.h. A cut slice shows only where its next frame ends. But complete paths
 * show where the outermost frames of stacks are, so the length is the distance from the stack pointer to the lowest
 * such place above the cut. If the end of the slice's own stack is unknown, this place is the end of another stack.
 * Stacks do not overlap, so that end is further away: the length may be too large, but not too small.
 */
#include "base/array.h"
#include "base/search.h"
#include "profile/measurement.h"
#include "profile/stacks/measure.h"

#include <stdlib.h>

static bool add_mark(struct measure *measure, const struct stack_mark *mark)
{
	return array_append(&measure->marks, &measure->mark_count, mark, sizeof *mark);
}

static bool add_end_mark(struct measure *measure, unsigned core, uint64_t address)
{
	return add_mark(measure, &(struct stack_mark){.core = core, .is_end = true, .address = address});
}

bool measure_mark_stack(struct measure *measure, const struct capture_block *block, const struct capture_slice *slice,
                        const struct unwind_path *path)
{
	const unsigned core = block->header.core;

	if (path->end == UNWIND_CUT)
		return add_mark(measure, &(struct stack_mark){
		                                 .core = core, .address = slice->sp + path->needed, .sp = slice->sp});
	if (slice->is_whole && !add_end_mark(measure, core, slice->sp + slice->size))
		return false;
	return (path->end != UNWIND_ROOT && path->end != UNWIND_TASK) || add_end_mark(measure, core, path->top);
}

/* By core, from high to low addresses. At the same address, ends come before cuts. */
static int compare_stack_marks(const void *left, const void *right)
{
	const struct stack_mark *a = left, *b = right;

	if (a->core != b->core)
		return compare_numbers(a->core, b->core);
	if (a->address != b->address)
		return compare_numbers(b->address, a->address);
	return b->is_end - a->is_end;
}

/* above: the lowest end above the cut, or NULL. */
static void note_needed_length(struct profile_measurement *made, const struct stack_mark *cut,
                               const struct stack_mark *above, uint64_t main_end)
{
	uint64_t next = cut->address - cut->sp, end = above != NULL ? above->address : cut->sp;

	if (main_end >= cut->address && (above == NULL || main_end < end))
		end = main_end;
	bool is_known = end >= cut->address && end - cut->sp <= PROFILE_SLICE_MAX;
	uint64_t length = is_known ? end - cut->sp : next;
	if (length <= PROFILE_SLICE_MAX && length > made->needed)
		made->needed = length;
	made->is_needed_enough &= is_known;
	made->may_need_more |= length > PROFILE_SLICE_MAX || (end >= cut->address && !is_known);
}

void measure_find_needed(struct measure *measure)
{
	const uint64_t main_end = image_stack_end(measure->profile->image);
	const struct stack_mark *above = NULL;

	if (measure->mark_count > 0)
		qsort(measure->marks, measure->mark_count, sizeof *measure->marks, compare_stack_marks);
	measure->made->is_needed_enough = true;
	for (size_t i = 0; i < measure->mark_count; i++) {
		const struct stack_mark *mark = &measure->marks[i];

		if (above != NULL && above->core != mark->core)
			above = NULL;
		if (mark->is_end)
			above = mark;
		else
			note_needed_length(measure->made, mark, above, main_end);
	}
	measure->made->is_needed_enough &= measure->made->needed > 0;
}
