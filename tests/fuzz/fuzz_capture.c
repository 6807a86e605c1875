/* SPDX-License-Identifier: MIT */
/* Arbitrary bytes as a capture file. Captures that can be decoded must keep the guarantees of capture.h. */
#include "fuzz.h"

#include "capture/capture.h"

#include <string.h>

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
	       left->context == right->context && left->coarse == right->coarse;
}

static bool is_same_arc(const struct capture_arc *left, const struct capture_arc *right)
{
	return left->caller == right->caller && left->callee == right->callee && left->count == right->count &&
	       left->context == right->context;
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
	capture_close(capture);
	return 0;
}
