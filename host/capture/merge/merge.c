/* SPDX-License-Identifier: MIT */
/* See merge.h. Adds each block to the sum that accepts it, and checks that the captures belong together. */
#include "capture/merge/merge.h"

#include "base/array.h"
#include "capture/merge/sum.h"

#include <stdlib.h>
#include <string.h>

struct merge {
	bool force;
	struct sum *sums;
	size_t sum_count;
	/* Properties that all captures share, from the first capture that has them; its path is NULL until then. */
	struct capture_order order;
	uint8_t identity[sizeof((struct capture_header *)0)->identity];
	unsigned identity_size;
	uint32_t code_crc;
	char *order_path, *build_path, *code_path;
	bool is_code_common; /* all captures have the same CRC of the code, so the sum has it, too */
	struct capture_block *blocks;
	struct capture sum;
};

struct merge *merge_create(bool force)
{
	struct merge *merge = calloc(1, sizeof *merge);

	if (merge != NULL)
		*merge = (struct merge){.force = force, .is_code_common = true};
	return merge;
}

void merge_free(struct merge *merge)
{
	if (merge == NULL)
		return;
	for (size_t i = 0; i < merge->sum_count; i++)
		sum_free(&merge->sums[i]);
	free(merge->sums);
	free(merge->order_path);
	free(merge->build_path);
	free(merge->code_path);
	free(merge->blocks);
	free(merge->sum.path);
	free(merge);
}

const struct capture_order *merge_order(const struct merge *merge)
{
	return merge->order_path != NULL ? &merge->order : NULL;
}

static enum status check_order(struct merge *merge, const struct capture *capture, const struct capture_order *order,
                               struct error *error)
{
	if (merge->order_path == NULL) {
		merge->order = *order;
		merge->order_path = strdup(capture->path);
		return merge->order_path != NULL ? STATUS_OK : status_no_memory(error, capture->path);
	}
	if (order->address_size != merge->order.address_size || order->big_endian != merge->order.big_endian)
		return status_fail(error, "%s: recorded by a %u-bit %s-endian target, %s by a %u-bit %s-endian one",
		                   capture->path, 8 * order->address_size, order->big_endian ? "big" : "little",
		                   merge->order_path, 8 * merge->order.address_size,
		                   merge->order.big_endian ? "big" : "little");
	return STATUS_OK;
}

static enum status fail_build(const struct capture *capture, const char *part, const char *other, struct error *error)
{
	return status_fail_with(error, HINT_MERGE_BUILDS, "%s: recorded by another build than %s (%s differs)",
	                        capture->path, other, part);
}

static enum status check_build(struct merge *merge, const struct capture *capture, const struct capture_header *header,
                               struct error *error)
{
	if (header->identity_size == 0)
		return STATUS_OK;
	if (merge->build_path == NULL) {
		merge->identity_size = header->identity_size;
		memcpy(merge->identity, header->identity, sizeof merge->identity);
		merge->build_path = strdup(capture->path);
		return merge->build_path != NULL ? STATUS_OK : status_no_memory(error, capture->path);
	}
	if (!merge->force && (header->identity_size != merge->identity_size ||
	                      memcmp(header->identity, merge->identity, sizeof merge->identity) != 0))
		return fail_build(capture, "build-id", merge->build_path, error);
	return STATUS_OK;
}

/* The CRC of the code belongs to a capture, not to a block: a sum of captures with different CRCs has none. */
static enum status check_code(struct merge *merge, const struct capture *capture, struct error *error)
{
	if (!capture->has_code_crc) {
		merge->is_code_common = false;
		return STATUS_OK;
	}
	if (merge->code_path == NULL) {
		merge->code_crc = capture->code_crc;
		merge->code_path = strdup(capture->path);
		return merge->code_path != NULL ? STATUS_OK : status_no_memory(error, capture->path);
	}
	if (capture->code_crc == merge->code_crc)
		return STATUS_OK;
	merge->is_code_common = false;
	return merge->force ? STATUS_OK : fail_build(capture, "code", merge->code_path, error);
}

/* Finds the sum that accepts the block, or begins one; NULL on failure. */
static struct sum *sum_for(struct merge *merge, const char *path, const struct capture_block *block,
                           struct error *error)
{
	for (size_t i = 0; i < merge->sum_count; i++)
		if (sum_accepts(&merge->sums[i], block))
			return &merge->sums[i];
	if (merge->sum_count == CAPTURE_BLOCKS_MAX) {
		status_fail(error, "%s: more than %d blocks that cannot be added up", path, CAPTURE_BLOCKS_MAX);
		return NULL;
	}
	struct sum *sums = array_reserve(merge->sums, sizeof *sums, merge->sum_count);
	if (sums != NULL)
		merge->sums = sums;
	if (sums == NULL || !sum_begin(&sums[merge->sum_count], block)) {
		status_no_memory(error, path);
		return NULL;
	}
	return &sums[merge->sum_count++];
}

static enum status merge_block(struct merge *merge, const struct capture *capture, const struct capture_block *block,
                               struct error *error)
{
	enum status status = check_order(merge, capture, &block->header.order, error);

	if (status == STATUS_OK)
		status = check_build(merge, capture, &block->header, error);
	if (status != STATUS_OK)
		return status;
	struct sum *sum = sum_for(merge, capture->path, block, error);
	if (sum == NULL)
		return STATUS_FAILED;
	return sum_add(sum, block) ? STATUS_OK : status_no_memory(error, capture->path);
}

enum status merge_add(struct merge *merge, const struct capture *capture, struct error *error)
{
	enum status status = check_code(merge, capture, error);

	for (size_t i = 0; status == STATUS_OK && i < capture->block_count; i++)
		status = merge_block(merge, capture, &capture->blocks[i], error);
	return status;
}

enum status merge_finish(struct merge *merge, const char *name, const struct capture **sum, struct error *error)
{
	merge->blocks = calloc(merge->sum_count + 1, sizeof *merge->blocks);
	merge->sum.path = strdup(name);
	if (merge->blocks == NULL || merge->sum.path == NULL)
		return status_no_memory(error, name);
	for (size_t i = 0; i < merge->sum_count; i++) {
		if (!sum_finish(&merge->sums[i]))
			return status_no_memory(error, name);
		merge->blocks[i] = merge->sums[i].block;
	}
	merge->sum.blocks = merge->blocks;
	merge->sum.block_count = merge->sum_count;
	merge->sum.has_code_crc = merge->code_path != NULL && merge->is_code_common;
	merge->sum.code_crc = merge->code_crc;
	*sum = &merge->sum;
	return STATUS_OK;
}
