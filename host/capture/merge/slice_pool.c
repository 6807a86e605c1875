/* SPDX-License-Identifier: MIT */
/* See slice_pool.h. The sample consists of the slices whose indices have the smallest hashes, so it does not depend on
 * when slices are dropped. */
#include "capture/merge/slice_pool.h"

#include "base/array.h"
#include "base/search.h"
#include "capture/mix.h"
#include "capture/stacks.h"

#include <stdlib.h>

void slice_pool_free(struct slice_pool *pool)
{
	for (size_t i = 0; i < pool->count; i++)
		free(pool->pooled[i].memory);
	free(pool->pooled);
	free(pool->slices);
}

/* The maximum number of slices to keep. */
static size_t slice_limit(const struct slice_pool *pool)
{
	const size_t by_bytes = SLICE_POOL_BYTES_MAX / (pool->room + 1);

	return by_bytes < SLICE_POOL_MAX ? by_bytes : SLICE_POOL_MAX;
}

static int compare_hashes(const void *left, const void *right)
{
	const struct pooled_slice *a = left, *b = right;

	return compare_numbers(mix_bits(a->index), mix_bits(b->index));
}

static int compare_indexes(const void *left, const void *right)
{
	const struct pooled_slice *a = left, *b = right;

	return compare_numbers(a->index, b->index);
}

static void drop_beyond_limit(struct slice_pool *pool)
{
	if (pool->count <= slice_limit(pool))
		return;
	qsort(pool->pooled, pool->count, sizeof *pool->pooled, compare_hashes);
	while (pool->count > slice_limit(pool))
		free(pool->pooled[--pool->count].memory);
}

static bool add_slice(struct slice_pool *pool, const struct capture_slice *slice)
{
	struct pooled_slice pooled = {.slice = *slice, .index = pool->added};

	pooled.memory = malloc(slice_memory_size(slice, pool->width) + 1);
	if (pooled.memory == NULL)
		return false;
	slice_move(&pooled.slice, pool->width, pooled.memory);
	pool->added++;
	pool->weight += (double)slice->weight;
	if (array_append(&pool->pooled, &pool->count, &pooled, sizeof pooled))
		return true;
	free(pooled.memory);
	return false;
}

bool slice_pool_add(struct slice_pool *pool, const struct capture_block *block)
{
	pool->width = block->header.order.address_size;
	pool->room = block->slice_bytes > pool->room ? block->slice_bytes : pool->room;
	for (size_t i = 0; i < block->slice_count; i++) {
		if (pool->count >= 2 * slice_limit(pool))
			drop_beyond_limit(pool);
		if (!add_slice(pool, &block->slices[i]))
			return false;
	}
	return true;
}

/* Scales the weights so that their sum equals that of all added slices. */
static void scale_weights(struct slice_pool *pool)
{
	double kept = 0;

	if (pool->count == pool->added)
		return;
	for (size_t i = 0; i < pool->count; i++)
		kept += (double)pool->pooled[i].slice.weight;
	for (size_t i = 0; i < pool->count; i++) {
		const double weight = (double)pool->pooled[i].slice.weight * (pool->weight / kept);

		pool->pooled[i].slice.weight = weight < 0x1p63 ? (uint64_t)(weight + 0.5) : UINT64_C(1) << 63;
	}
}

bool slice_pool_finish(struct slice_pool *pool, struct capture_block *block)
{
	drop_beyond_limit(pool);
	scale_weights(pool);
	if (pool->count > 0)
		qsort(pool->pooled, pool->count, sizeof *pool->pooled, compare_indexes);
	pool->slices = calloc(pool->count + 1, sizeof *pool->slices);
	if (pool->slices == NULL)
		return false;
	for (size_t i = 0; i < pool->count; i++) {
		pool->slices[i] = pool->pooled[i].slice;
		pool->slices[i].number = (uint32_t)i + 1;
	}
	block->slices = pool->slices;
	block->slice_count = pool->count;
	return true;
}
