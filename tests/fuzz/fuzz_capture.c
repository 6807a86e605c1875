/* SPDX-License-Identifier: MIT */
/* Any bytes as a capture file. What decodes must keep the promises of capture.h. */
#include "capture/capture.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_block(const struct capture_block *block)
{
	for (size_t i = 0; i < block->cell_count; i++)
		if (block->cells[i].count == 0 || block->cells[i].low >= block->cells[i].high)
			abort();
	for (size_t i = 0; i < block->arc_count; i++)
		if (block->arcs[i].count == 0 || block->arcs[i].callee == 0)
			abort();
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
	capture_close(capture);
	return 0;
}
