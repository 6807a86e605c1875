/* SPDX-License-Identifier: MIT */
/* Arbitrary bytes as a capture file. Captures that can be decoded must keep the guarantees of capture.h. */
#include "fuzz.h"

#include "capture/capture.h"
#include "capture/count.h"
#include "capture/merge/merge.h"
#include "capture/stacks.h"

#include <bareprof/block.h>
#include <stdlib.h>
#include <string.h>

static void check_slices(const struct capture_block *block)
{
	for (size_t i = 0; i < block->slice_count; i++) {
		const struct capture_slice *slice = &block->slices[i];

		require(slice->number != 0 && slice->weight != 0 && slice->size <= UINT16_MAX);
		require(i == 0 || slice->number > block->slices[i - 1].number);
		require(slice_memory_size(slice, block->header.order.address_size) <= block->slice_bytes);
		require((slice->kept != NULL) == block->slices_filtered);
	}
}

/* Parents come first. A leaf has no children, only leaves count, and no path is deeper than allowed. */
static void check_paths(const struct capture_block *block)
{
	uint32_t *depths = calloc(block->path_node_count + 1, sizeof *depths);

	for (size_t i = 0; i < block->path_node_count; i++) {
		const struct capture_path_node *node = &block->path_nodes[i];

		require((node->kind == BAREPROF_PATH_IS_ROOT) == (node->parent == UINT32_MAX));
		require(node->kind == BAREPROF_PATH_IS_LEAF || node->count == 0);
		require(node->end < BAREPROF_ENDS);
		if (node->parent == UINT32_MAX)
			continue;
		require(node->parent < i && block->path_nodes[node->parent].kind != BAREPROF_PATH_IS_LEAF);
		depths[i] = depths[node->parent] + 1;
		require(depths[i] <= CAPTURE_PATH_DEPTH_MAX);
	}
	free(depths);
}

static void check_block(const struct capture_block *block)
{
	for (size_t i = 0; i < block->cell_count; i++)
		require(block->cells[i].count != 0 && block->cells[i].low < block->cells[i].high);
	for (size_t i = 1; i < block->cell_count; i++)
		require(block->cells[i - 1].low <= block->cells[i].low);
	for (size_t i = 0; i < block->arc_count; i++)
		require(block->arcs[i].count != 0 && block->arcs[i].callee != 0);
	for (size_t i = 0; i < block->context_count; i++)
		require(strlen(capture_context_name(block, (uint32_t)i)) <= 16);
	check_slices(block);
	check_paths(block);
	capture_sum_samples(block);
}

/* The selected part and the rest add up to the whole. */
static void check_selection(const struct capture *capture)
{
	const struct capture_selection none = {.of_context = true, .context = CAPTURE_NO_CONTEXT};
	struct capture *copy = capture_select(capture, &none);

	require(copy != NULL && copy->block_count == capture->block_count);
	for (size_t i = 0; i < copy->block_count; i++) {
		size_t with_context = 0;

		for (size_t j = 0; j < capture->blocks[i].cell_count; j++)
			with_context += capture->blocks[i].cells[j].context != CAPTURE_NO_CONTEXT;
		require(copy->blocks[i].cell_count + with_context == capture->blocks[i].cell_count);
	}
	capture_close(copy);
}

static bool is_same_cell(const struct capture_cell *left, const struct capture_cell *right)
{
	return left->low == right->low && left->high == right->high && left->count == right->count &&
	       left->context == right->context && left->is_coarse == right->is_coarse;
}

static bool is_same_arc(const struct capture_arc *left, const struct capture_arc *right)
{
	return left->caller == right->caller && left->callee == right->callee && left->count == right->count &&
	       left->context == right->context;
}

static bool is_same_slice(const struct capture_slice *left, const struct capture_slice *right, unsigned width)
{
	const size_t size = slice_memory_size(left, width);

	return left->number == right->number && left->context == right->context && left->pc == right->pc &&
	       left->lr == right->lr && left->sp == right->sp && left->fp == right->fp && left->entry == right->entry &&
	       left->is_bad == right->is_bad && left->is_whole == right->is_whole &&
	       left->is_withheld == right->is_withheld && left->weight == right->weight && left->size == right->size &&
	       size == slice_memory_size(right, width) && (left->kept == NULL) == (right->kept == NULL) &&
	       memcmp(left->kept != NULL ? left->kept : left->bytes, right->kept != NULL ? right->kept : right->bytes,
	              size) == 0;
}

static bool is_same_node(const struct capture_path_node *left, const struct capture_path_node *right)
{
	return left->key == right->key && left->parent == right->parent && left->kind == right->kind &&
	       left->end == right->end && left->count == right->count;
}

static void check_same_stacks(const struct capture_block *left, const struct capture_block *right)
{
	const struct capture_stack_totals *a = &left->stack_totals, *b = &right->stack_totals;

	require(left->has_stack_totals == right->has_stack_totals && left->slice_count == right->slice_count &&
	        left->path_node_count == right->path_node_count);
	require(a->offered == b->offered && a->bad == b->bad && a->tree_full == b->tree_full && a->timed == b->timed &&
	        a->cost == b->cost && a->table_crc == b->table_crc);
	require(left->slices_in_flight == right->slices_in_flight && left->path_nodes_bad == right->path_nodes_bad &&
	        left->slice_capacity == right->slice_capacity && left->slice_bytes == right->slice_bytes &&
	        left->path_node_capacity == right->path_node_capacity);
	for (size_t i = 0; i < left->slice_count; i++)
		require(is_same_slice(&left->slices[i], &right->slices[i], left->header.order.address_size));
	for (size_t i = 0; i < left->path_node_count; i++)
		require(is_same_node(&left->path_nodes[i], &right->path_nodes[i]));
}

static void check_same_block(const struct capture_block *left, const struct capture_block *right)
{
	const struct capture_samples a = capture_sum_samples(left), b = capture_sum_samples(right);

	require(left->cell_count == right->cell_count && left->arc_count == right->arc_count &&
	        left->context_count == right->context_count);
	require(a.fine == b.fine && a.coarse == b.coarse && a.outside == b.outside && a.balance == b.balance);
	for (size_t i = 0; i < left->arc_count; i++)
		require(is_same_arc(&left->arcs[i], &right->arcs[i]));
	for (size_t i = 0; i < left->cell_count; i++)
		require(is_same_cell(&left->cells[i], &right->cells[i]));
	for (size_t i = 0; i < left->context_count; i++)
		require(strcmp(left->contexts[i].name, right->contexts[i].name) == 0 &&
		        left->contexts[i].switches == right->contexts[i].switches);
	check_same_stacks(left, right);
}

/* Writing and reading a capture, as for merged ones, changes nothing. */
static void check_writing(const struct capture *capture)
{
	struct capture *again = NULL;
	struct error error = {.message = ""};
	uint8_t *file;
	size_t size;

	require(capture_write(capture, &file, &size, &error) == STATUS_OK);
	require(capture_decode("again", file, size, &again, &error) == STATUS_OK);
	require(again->block_count == capture->block_count);
	for (size_t i = 0; i < capture->block_count; i++)
		check_same_block(&capture->blocks[i], &again->blocks[i]);
	capture_close(again);
	free(file);
}

static uint64_t count_paths(const struct capture *capture)
{
	uint64_t count = 0;

	for (size_t i = 0; i < capture->block_count; i++)
		for (size_t j = 0; j < capture->blocks[i].path_node_count; j++)
			count_add(&count, capture->blocks[i].path_nodes[j].count);
	return count;
}

/* Nothing was recorded between a capture and itself. */
static void check_interval(const struct capture *capture)
{
	enum capture_course course;
	struct capture *interval = capture_since(capture, capture, &course);

	require(interval != NULL);
	require(capture_is_repeat(capture, capture));
	if (course == CAPTURE_CONTINUES && capture->block_count == 1)
		require(interval->blocks[0].path_node_count == 0 && interval->blocks[0].stack_totals.offered == 0);
	capture_close(interval);
}

/* The sum of a capture and itself has its paths, with twice the counts. */
static void check_merging(const struct capture *capture)
{
	struct merge *merge = merge_create(true);
	const struct capture *sum;
	struct error error = {.message = ""};

	require(merge != NULL);
	if (merge_add(merge, capture, &error) == STATUS_OK && merge_add(merge, capture, &error) == STATUS_OK) {
		require(merge_finish(merge, "sum", &sum, &error) == STATUS_OK);
		for (size_t i = 0; i < sum->block_count; i++)
			check_paths(&sum->blocks[i]);
		require(count_paths(sum) == count_sum(count_paths(capture), count_paths(capture)));
	}
	merge_free(merge);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct capture *capture = NULL;
	struct error error = {.message = ""};

	if (capture_decode("fuzz", data, size, &capture, &error) != STATUS_OK) {
		require(error.message[0] != '\0' && capture == NULL);
		return 0;
	}
	for (size_t i = 0; i < capture->block_count; i++)
		check_block(&capture->blocks[i]);
	check_selection(capture);
	check_writing(capture);
	check_interval(capture);
	check_merging(capture);
	capture_close(capture);
	return 0;
}
