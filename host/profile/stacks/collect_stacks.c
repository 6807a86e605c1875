/* SPDX-License-Identifier: MIT */
/* Collects the stacks of the captures, see measure.h: unwinds slices, and follows paths of trees up to their roots. */
#include "base/array.h"
#include "base/search.h"
#include "capture/count.h"
#include "profile/measurement.h"
#include "profile/stacks/measure.h"

#include <bareprof/block.h>
#include <stdlib.h>

#define SLICE_WEIGHT 65536.0 /* weight of one tick */

/* --- Frames. */

bool measure_add_frame(struct measure *measure, size_t node, uint64_t address)
{
	const struct profile_frame frame = {.node = node, .address = address};

	if (node == PROFILE_NONE || !array_append(&measure->frames, &measure->frame_count, &frame, sizeof frame))
		return false;
	measure->stacks[measure->stack_count - 1].depth++;
	return true;
}

bool measure_begin_stack(struct measure *measure, const struct measured_stack *stack)
{
	if (!array_append(&measure->stacks, &measure->stack_count, stack, sizeof *stack))
		return false;
	measure->stacks[measure->stack_count - 1].first = measure->frame_count;
	return true;
}

/* Adds the function at the address and, if it was inlined there, the functions that it was inlined into. */
static bool add_frames_of_address(struct measure *measure, uint64_t address, size_t node)
{
	struct profile *profile = measure->profile;
	const struct image *image = profile->image;
	const struct image_function *function = image_function_at(image, address);
	bool ok = measure_add_frame(measure, node, address);

	while (ok && function != NULL && function->inlined_into != IMAGE_NOT_INLINED) {
		size_t outer = profile_node_of_function(profile, function->inlined_into);

		function = &image->functions[function->inlined_into];
		ok = outer == node || measure_add_frame(measure, outer, 0);
		node = outer;
	}
	return ok;
}

/* Adds a caller. The recorder's own frames are left out, because its time never counts for other functions.
 * *caller: the function of the call, looked up if it is PROFILE_NONE. */
static bool add_caller_frames(struct measure *measure, uint64_t return_address, size_t *caller)
{
	const struct image *image = measure->profile->image;
	uint64_t site = profile_call_site(image, return_address);

	if (image_is_recorder(image, site) || measure->frame_count >= MEASURE_FRAMES_MAX)
		return true;
	if (*caller == PROFILE_NONE)
		*caller = profile_node_at(measure->profile, site);
	return add_frames_of_address(measure, site, *caller);
}

static bool is_sampled_code(const struct capture_block *block, uint64_t address)
{
	for (size_t i = 0; i < block->range_count; i++)
		if (block->ranges[i].start <= address && address < block->ranges[i].end)
			return true;
	return false;
}

/* Adds the sampled function, by the rules that apply to all samples. */
static bool add_sampled(struct measure *measure, const struct capture_block *block, uint64_t pc)
{
	struct profile *profile = measure->profile;

	if (is_sampled_code(block, pc))
		return add_frames_of_address(measure, pc, profile_node_at(profile, pc));
	size_t node = profile_node_outside_functions(profile, pc, pc + 1);
	bool is_special = node != PROFILE_NONE && (profile->nodes[node].kind == PROFILE_SECURE ||
	                                           profile->nodes[node].kind == PROFILE_UNAVAILABLE);
	return measure_add_frame(measure, is_special ? node : profile_node_of_kind(profile, PROFILE_OUTSIDE),
	                         is_special ? 0 : pc);
}

/* Adds the outermost caller: the hardware, the scheduler, or the callers that the stack does not show. */
static bool add_outermost_caller(struct measure *measure, enum unwind_end end)
{
	static const enum profile_node_kind callers[BAREPROF_ENDS] = {
	        [UNWIND_TASK] = PROFILE_TASK_ENTRY, [UNWIND_EXCEPTION] = PROFILE_EXCEPTION,
	        [UNWIND_CUT] = PROFILE_CUT,         [UNWIND_NO_ROW] = PROFILE_NO_ROW,
	        [UNWIND_BAD] = PROFILE_BAD_STACK,   [UNWIND_WITHHELD] = PROFILE_WITHHELD,
	};

	return end == UNWIND_ROOT ||
	       measure_add_frame(measure, profile_node_of_kind(measure->profile, callers[end]), 0);
}

static bool is_last_of_recorder(const struct measure *measure)
{
	const struct measured_stack *stack = &measure->stacks[measure->stack_count - 1];

	return measure->profile->nodes[measure->frames[stack->first].node].kind == PROFILE_BAREPROF;
}

/* Counts the end of the last stack, and returns whether its callers matter. Stacks of the recorder do not count: no
 * function is charged for its time, and many of these stacks end early, in code without frame information. */
static bool count_stack(struct measure *measure, uint64_t count)
{
	enum unwind_end end = measure->stacks[measure->stack_count - 1].end;

	if (is_last_of_recorder(measure))
		return false;
	count_add(&measure->made->ends[end], count);
	count_add(&measure->made->stack_count, count);
	return true;
}

/* --- Slices. */

static enum status unwind_slice(struct measure *measure, const struct capture_block *block,
                                const struct capture_slice *slice, struct unwind_path *path, struct error *error)
{
	double ticks = slice->weight > 0 ? (double)slice->weight / SLICE_WEIGHT : 1;
	double weight = ticks * profile_sample_time(measure->profile, block);
	bool has_stack = !slice->is_bad && !slice->is_withheld;
	const struct unwind_stack registers = {
	        .pc = slice->pc,
	        .lr = slice->lr,
	        .sp = slice->sp,
	        .fp = slice->fp,
	        .entry = slice->entry,
	        .bytes = slice->bytes,
	        .size = has_stack ? slice->size : 0,
	        .is_whole = slice->is_whole && has_stack,
	        .kept = slice->kept,
	        .through_interrupts = measure->profile->through_interrupts,
	};

	/* For such samples, the target reports no register except the PC. */
	if (slice->is_withheld)
		*path = (struct unwind_path){.returns = path->returns, .end = UNWIND_WITHHELD};
	else
		unwind(measure->profile->unwinder, &registers, path);
	enum unwind_end end = slice->is_bad ? UNWIND_BAD : path->end;
	const struct measured_stack stack = {
	        .source = source_of(block, slice->context),
	        .end = end,
	        .weight = weight,
	        .squares = weight * weight,
	};
	bool ok = measure_begin_stack(measure, &stack) &&
	          add_sampled(measure, block, slice->pc & ~image_thumb_bit(measure->profile->image));
	if (ok && count_stack(measure, 1)) {
		for (size_t i = 0; ok && i < path->depth; i++)
			ok = add_caller_frames(measure, path->returns[i], &(size_t){PROFILE_NONE});
		ok = ok && add_outermost_caller(measure, end);
		ok = ok && (!has_stack || measure_mark_stack(measure, block, slice, path));
	}
	return ok ? STATUS_OK : status_no_memory(error, measure->profile->image->path);
}

static enum status prepare_unwinder(struct profile *profile, struct error *error)
{
	if (profile->unwinder != NULL)
		return STATUS_OK;
	profile->owns_unwinder = true;
	return unwinder_create(profile->image, &profile->unwinder, error);
}

static enum status unwind_slices(struct measure *measure, const struct capture_block *block, struct error *error)
{
	struct unwind_path path = {.returns = calloc(UNWIND_DEPTH_MAX, sizeof *path.returns)};
	enum status status = path.returns != NULL ? prepare_unwinder(measure->profile, error)
	                                          : status_no_memory(error, measure->profile->image->path);

	for (size_t i = 0; status == STATUS_OK && i < block->slice_count; i++)
		status = unwind_slice(measure, block, &block->slices[i], &path, error);
	count_add(&measure->made->in_flight, block->slices_in_flight);
	free(path.returns);
	return status;
}

/* --- Trees. */

static const struct capture_path_node *parent_of(const struct capture_block *block,
                                                 const struct capture_path_node *node)
{
	return node->parent < (size_t)(node - block->path_nodes) ? &block->path_nodes[node->parent] : NULL;
}

/* The root of each node; its outermost node if it has no root. NULL when out of memory. O(n), as parents come first. */
static const struct capture_path_node **find_roots(const struct capture_block *block)
{
	const struct capture_path_node **roots = calloc(block->path_node_count + 1, sizeof *roots);

	for (size_t i = 0; roots != NULL && i < block->path_node_count; i++) {
		const struct capture_path_node *node = &block->path_nodes[i], *parent = parent_of(block, node);

		roots[i] = parent == NULL || node->kind == BAREPROF_PATH_IS_ROOT ? node
		                                                                 : roots[parent - block->path_nodes];
	}
	return roots;
}

/* callers: by node of the tree, so that a call above several leaves is looked up only once. */
static bool follow_leaf(struct measure *measure, const struct capture_block *block,
                        const struct capture_path_node *leaf, const struct capture_path_node *root, size_t *callers)
{
	double time = profile_sample_time(measure->profile, block), count = (double)leaf->count;
	const struct capture_path_node *node = leaf;
	size_t depth = 0;
	bool has_root = root->kind == BAREPROF_PATH_IS_ROOT;
	const struct measured_stack stack = {
	        .source = source_of(block, has_root ? (uint32_t)root->key : CAPTURE_NO_CONTEXT),
	        .end = has_root && root->end < BAREPROF_ENDS ? (enum unwind_end)root->end : UNWIND_BAD,
	        .weight = count * time,
	        .squares = count * time * time,
	};

	if (!measure_begin_stack(measure, &stack) ||
	    !add_sampled(measure, block, leaf->key & ~image_thumb_bit(measure->profile->image)))
		return false;
	if (!count_stack(measure, leaf->count))
		return true;
	while ((node = parent_of(block, node)) != NULL && node->kind == BAREPROF_PATH_IS_CALL &&
	       depth++ < UNWIND_DEPTH_MAX && measure->frame_count < MEASURE_FRAMES_MAX)
		if (!add_caller_frames(measure, node->key, &callers[node - block->path_nodes]))
			return false;
	return add_outermost_caller(measure, stack.end);
}

static enum status follow_tree(struct measure *measure, const struct capture_block *block, struct error *error)
{
	const struct capture_path_node **roots = find_roots(block);
	size_t *callers = calloc(block->path_node_count + 1, sizeof *callers);
	bool ok = roots != NULL && callers != NULL;

	for (size_t i = 0; ok && i < block->path_node_count; i++)
		callers[i] = PROFILE_NONE;
	for (size_t i = 0; ok && i < block->path_node_count; i++) {
		const struct capture_path_node *node = &block->path_nodes[i];

		if (node->kind == BAREPROF_PATH_IS_LEAF && node->count > 0)
			ok = follow_leaf(measure, block, node, roots[i], callers);
	}
	measure->made->is_tree |= block->path_node_count > 0;
	free(roots);
	free(callers);
	return ok ? STATUS_OK : status_no_memory(error, measure->profile->image->path);
}

/* Whether the target unwound by the image's table. A CRC of 0 is not checked: the target had no table. */
static bool is_of_image(struct measure *measure, const struct capture_block *block)
{
	uint32_t crc = block->has_stack_totals ? block->stack_totals.table_crc : 0;

	return crc == 0 || unwind_table_is_of(measure->profile->image, crc, &measure->table_crc);
}

/* --- Distinct stacks. */

static int compare_frames(const struct measured_stack *a, const struct measured_stack *b)
{
	for (size_t i = 1; i < a->depth && i < b->depth; i++) {
		if (a->frames[i].node != b->frames[i].node)
			return compare_numbers(a->frames[i].node, b->frames[i].node);
		if (a->frames[i].address != b->frames[i].address)
			return compare_numbers(a->frames[i].address, b->frames[i].address);
	}
	return compare_numbers(a->depth, b->depth);
}

static int compare_stacks(const void *left, const void *right)
{
	const struct measured_stack *a = left, *b = right;
	int by_source = source_compare(&a->source, &b->source);

	if (by_source != 0)
		return by_source;
	if (a->frames[0].node != b->frames[0].node)
		return compare_numbers(a->frames[0].node, b->frames[0].node);
	return a->end != b->end ? compare_numbers(a->end, b->end) : compare_frames(a, b);
}

static void merge_equal_stacks(struct measure *measure)
{
	struct measured_stack *stacks = measure->stacks;
	size_t kept = 0;

	for (size_t i = 0; i < measure->stack_count; i++)
		stacks[i].frames = &measure->frames[stacks[i].first];
	if (measure->stack_count > 0)
		qsort(stacks, measure->stack_count, sizeof *stacks, compare_stacks);
	for (size_t i = 0; i < measure->stack_count; i++) {
		if (kept > 0 && compare_stacks(&stacks[kept - 1], &stacks[i]) == 0) {
			stacks[kept - 1].weight += stacks[i].weight;
			stacks[kept - 1].squares += stacks[i].squares;
		} else {
			stacks[kept++] = stacks[i];
		}
	}
	measure->stack_count = kept;
}

enum status measure_collect(struct measure *measure, struct error *error)
{
	struct profile *profile = measure->profile;
	struct profile_measurement *made = measure->made;
	enum status status = STATUS_OK;

	for (size_t i = 0; status == STATUS_OK && i < profile->block_count; i++) {
		const struct capture_block *block = profile->blocks[i];

		if (block->slice_count > 0)
			status = unwind_slices(measure, block, error);
		if (block->path_node_count > 0 && !is_of_image(measure, block))
			profile->refused_trees++;
		else if (status == STATUS_OK)
			status = follow_tree(measure, block, error);
		if (block->has_stack_totals) {
			count_add(&made->bad, block->stack_totals.bad);
			count_add(&made->tree_full, block->stack_totals.tree_full);
		}
	}
	measure_find_needed(measure);
	merge_equal_stacks(measure);
	return status;
}
