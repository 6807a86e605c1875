/* SPDX-License-Identifier: MIT */
/* Any bytes as a capture file. What decodes must keep the promises of capture.h. */
#include "capture/capture.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_block(const struct capture_block *block)
{
	for (size_t i = 0; i < block->cell_count; i++)
		if (block->cells[i].count == 0 || block->cells[i].low >= block->cells[i].high)
			abort();
	for (size_t i = 1; i < block->cell_count; i++)
		if (block->cells[i - 1].low > block->cells[i].low)
			abort();
	for (size_t i = 0; i < block->arc_count; i++)
		if (block->arcs[i].count == 0 || block->arcs[i].callee == 0)
			abort();
	for (size_t i = 0; i < block->context_count; i++)
		if (strlen(capture_context_name(block, (uint32_t)i)) > 16)
			abort();
	capture_sum_samples(block);
}

/* What is selected and what is left make up the whole. */
static void check_selection(const struct capture *capture)
{
	const struct capture_selection none = {.of_context = true, .context = CAPTURE_NO_CONTEXT};
	struct capture *copy = capture_select(capture, &none);
	if (copy == NULL || copy->block_count != capture->block_count)
		abort();
	for (size_t i = 0; i < copy->block_count; i++) {
		size_t with_context = 0;
		for (size_t j = 0; j < capture->blocks[i].cell_count; j++)
			with_context += capture->blocks[i].cells[j].context != CAPTURE_NO_CONTEXT;
		if (copy->blocks[i].cell_count + with_context != capture->blocks[i].cell_count)
			abort();
	}
	capture_close(copy);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct capture *capture = NULL;
	struct error error = {.message = ""};
	if (capture_decode("fuzz", data, size, &capture, &error) != STATUS_OK) {
		if (error.message[0] == '\0' || capture != NULL)
			abort();
		return 0;
	}
	for (size_t i = 0; i < capture->block_count; i++)
		check_block(&capture->blocks[i]);
	check_selection(capture);
	capture_close(capture);
	return 0;
}
