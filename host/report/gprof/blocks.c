/* SPDX-License-Identifier: MIT */
/* The basic blocks of gmon.out, by the nodes that contain them. Like GNU gprof, only for profiles by line. */
#include "report/gprof/report.h"

#include "base/search.h"
#include "capture/count.h"

#include <stdlib.h>

static int compare_block_addresses(const void *left, const void *right)
{
	const struct gprof_block *a = left, *b = right;

	if (a->address != b->address)
		return a->address > b->address ? 1 : -1;
	return (a->place > b->place) - (a->place < b->place);
}

static int compare_block_nodes(const void *left, const void *right)
{
	const struct gprof_block *a = left, *b = right;

	if (a->node != b->node)
		return a->node > b->node ? 1 : -1;
	return (a->place > b->place) - (a->place < b->place);
}

static void collect_known_blocks(struct gprof_blocks *blocks, const struct gprof_report *report)
{
	const struct image *image = report->profile->image;

	for (size_t i = 0; i < report->gmon->basic_block_count; i++) {
		const struct gmon_basic_block *block = &report->gmon->basic_blocks[i];
		const struct image_function *function = image_function_at(image, block->address);

		if (function != NULL)
			blocks->items[blocks->count++] = (struct gprof_block){
			        .node = (size_t)(function - image->functions),
			        .address = block->address,
			        .count = block->count,
			        .place = i,
			};
	}
}

/* Merges blocks with the same address, in the place of the first. */
static void merge_equal_blocks(struct gprof_blocks *blocks)
{
	size_t kept = 0;

	qsort(blocks->items, blocks->count, sizeof *blocks->items, compare_block_addresses);
	for (size_t i = 0; i < blocks->count; i++) {
		struct gprof_block *last = kept > 0 ? &blocks->items[kept - 1] : NULL;

		if (last != NULL && last->address == blocks->items[i].address)
			count_add(&last->count, blocks->items[i].count);
		else
			blocks->items[kept++] = blocks->items[i];
	}
	blocks->count = kept;
}

enum status gprof_collect_blocks(const struct gprof_report *report, struct gprof_blocks *blocks, struct error *error)
{
	size_t max = report->options->by_line ? report->gmon->basic_block_count : 0;

	*blocks = (struct gprof_blocks){.items = calloc(max + 1, sizeof *blocks->items)};
	if (blocks->items == NULL)
		return status_fail(error, "out of memory for %zu basic blocks", max);
	if (max == 0)
		return STATUS_OK;
	collect_known_blocks(blocks, report);
	merge_equal_blocks(blocks);
	qsort(blocks->items, blocks->count, sizeof *blocks->items, compare_block_nodes);
	return STATUS_OK;
}

const struct gprof_block *gprof_blocks_of(const struct gprof_blocks *blocks, size_t node, size_t *count)
{
	const size_t size = sizeof *blocks->items, offset = offsetof(struct gprof_block, node);
	size_t first = first_from(blocks->items, blocks->count, size, offset, node);

	*count = first_above(blocks->items, blocks->count, size, offset, node) - first;
	return &blocks->items[first];
}
