/* SPDX-License-Identifier: MIT */
/* A capture file as a whole: blocks one after the other, then an optional trailer. */
#include "capture/capture.h"

#include "base/array.h"
#include "capture/decoders.h"

#include <bareprof/block.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Adds the block at *offset and moves *offset past it. */
static enum status append_block(const char *path, const uint8_t *bytes, size_t size, size_t *offset,
                                struct capture *capture, struct error *error)
{
	struct capture_block *blocks = array_reserve(capture->blocks, sizeof *blocks, capture->block_count);

	if (blocks == NULL)
		return status_no_memory(error, path);
	capture->blocks = blocks;
	struct capture_block *block = &blocks[capture->block_count++];
	*block = (struct capture_block){0};
	char where[256];
	if (*offset == 0)
		snprintf(where, sizeof where, "%s", path);
	else
		snprintf(where, sizeof where, "%s: block at 0x%zx", path, *offset);
	enum status status = block_decode(where, bytes + *offset, size - *offset, block, error);
	*offset += block->header.block_size;
	return status;
}

static enum status decode_file(const char *path, const uint8_t *bytes, size_t size, struct capture *capture,
                               struct error *error)
{
	size_t offset = 0;

	do {
		if (!capture_is(bytes + offset, size - offset))
			return status_fail(
			        error,
			        "%s: offset 0x%zx: no profile block here (expected \"%s\"); if this is a dump of more "
			        "memory, use bareprof pull file:%s",
			        path, offset, BAREPROF_MAGIC, path);
		if (capture->block_count == CAPTURE_BLOCKS_MAX)
			return status_fail(error, "%s: offset 0x%zx: more than %d blocks", path, offset,
			                   CAPTURE_BLOCKS_MAX);
		enum status status = append_block(path, bytes, size, &offset, capture, error);
		if (status != STATUS_OK)
			return status;
		if (trailer_is_at(bytes + offset, size - offset)) {
			capture->has_trailer = true;
			return trailer_decode(path, bytes, size, offset, capture, error);
		}
	} while (offset < size);
	/* Sums are written by bareprof, always with a trailer; only dumps of a target lack one. */
	if (capture_is_sum(capture))
		return status_fail(error, "%s: truncated at byte %zu, before the trailer; merge again", path, size);
	return STATUS_OK;
}

enum status capture_decode(const char *path, const uint8_t *bytes, size_t size, struct capture **capture,
                           struct error *error)
{
	*capture = calloc(1, sizeof **capture);
	if (*capture != NULL)
		(*capture)->path = strdup(path);
	if (*capture == NULL || (*capture)->path == NULL) {
		capture_close(*capture);
		return status_no_memory(error, path);
	}
	enum status status = decode_file(path, bytes, size, *capture, error);
	if (status != STATUS_OK) {
		capture_close(*capture);
		*capture = NULL;
	}
	return status;
}

bool capture_is_sum(const struct capture *capture)
{
	for (size_t i = 0; i < capture->block_count; i++)
		if (capture->blocks[i].merged_count > 0)
			return true;
	return false;
}

void capture_close(struct capture *capture)
{
	if (capture == NULL)
		return;
	for (size_t i = 0; i < capture->block_count; i++)
		block_free(&capture->blocks[i]);
	free(capture->blocks);
	free(capture->path);
	free(capture);
}
