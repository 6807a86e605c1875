/* SPDX-License-Identifier: MIT */
/* See contexts.h. A capture may have a context per sample, so they are sorted, not looked for one by one. */
#include "profile/analysis/contexts.h"

#include "capture/count.h"

#include <stdlib.h>
#include <string.h>

/* One per cell, per arc, per context, and one for the samples outside. */
static size_t max_sums(const struct profile *profile)
{
	size_t count = 0;

	for (size_t i = 0; i < profile->block_count; i++) {
		const struct capture_block *block = profile->blocks[i];

		count += block->cell_count + block->arc_count + block->context_count + 1;
	}
	return count;
}

static bool is_same(const struct context_sum *left, const struct context_sum *right)
{
	return left->number == right->number && strcmp(left->name, right->name) == 0;
}

/* Merges with the last sum if the context is the same, because cells of one context are often adjacent. */
static void add(struct context_sums *sums, const struct context_sum *sum)
{
	struct context_sum *last = sums->count > 0 ? &sums->items[sums->count - 1] : NULL;

	if (last == NULL || !is_same(last, sum)) {
		sums->items[sums->count++] = *sum;
		return;
	}
	count_add(&last->samples, sum->samples);
	count_add(&last->calls, sum->calls);
}

static void add_context(struct context_sums *sums, const struct capture_block *block, uint32_t context,
                        uint64_t samples, uint64_t calls)
{
	add(sums, &(struct context_sum){context, capture_context_name(block, context), samples, calls});
}

static void add_block(struct context_sums *sums, const struct capture_block *block)
{
	for (size_t i = 0; i < block->cell_count; i++)
		add_context(sums, block, block->cells[i].context, block->cells[i].count, 0);
	for (size_t i = 0; i < block->arc_count; i++)
		add_context(sums, block, block->arcs[i].context, 0, block->arcs[i].count);
	for (uint32_t i = 0; i < block->context_count; i++)
		if (block->contexts[i].switches > 0 && block->contexts[i].switches != CAPTURE_UNKNOWN)
			add_context(sums, block, i, 0, 0);
	if (block->header.samples_outside > 0 && !block->is_part)
		add_context(sums, block, CAPTURE_NO_CONTEXT, block->header.samples_outside, 0);
}

static int compare_keys(const void *left, const void *right)
{
	const struct context_sum *a = left, *b = right;

	if (a->number != b->number)
		return a->number < b->number ? -1 : 1;
	return strcmp(a->name, b->name);
}

static int compare_weights(const void *left, const void *right)
{
	const struct context_sum *a = left, *b = right;
	bool a_is_none = a->number == CAPTURE_NO_CONTEXT, b_is_none = b->number == CAPTURE_NO_CONTEXT;

	if (a_is_none != b_is_none)
		return a_is_none ? -1 : 1;
	if (a->samples != b->samples)
		return a->samples > b->samples ? -1 : 1;
	if (a->calls != b->calls)
		return a->calls > b->calls ? -1 : 1;
	return compare_keys(left, right);
}

static void merge(struct context_sums *sums)
{
	size_t count = sums->count;

	qsort(sums->items, count, sizeof *sums->items, compare_keys);
	sums->count = 0;
	for (size_t i = 0; i < count; i++) {
		const struct context_sum next = sums->items[i]; /* add() may write there */

		add(sums, &next);
	}
	qsort(sums->items, sums->count, sizeof *sums->items, compare_weights);
}

enum status contexts_sum(const struct profile *profile, struct context_sums *sums, struct error *error)
{
	*sums = (struct context_sums){.items = calloc(max_sums(profile) + 1, sizeof *sums->items)};
	if (sums->items == NULL)
		return status_no_memory(error, profile->image->path);
	for (size_t i = 0; i < profile->block_count; i++)
		add_block(sums, profile->blocks[i]);
	merge(sums);
	return STATUS_OK;
}
