/* SPDX-License-Identifier: MIT */
/*
 * The parts of a profile, see parts.h: finds them, and creates the empty profile of each from a copy of its captures.
 */
#include "profile/analysis/parts.h"

#include "capture/count.h"
#include "profile/split.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* All parts together may cost as much as 256 parts of a firmware with 4,096 functions and calls; contexts beyond that
 * share the last part. */
#define PARTS_MAX 256
#define COST_MAX  (256u * 4096)

/* --- The contexts of captures. */

/* A context with samples, calls or switches in the captures. Contexts differ by number or name, and by core if they are
 * listed for each. */
struct context_sum {
	unsigned core;
	uint32_t number; /* CAPTURE_NO_CONTEXT: samples without a context */
	const char *name;
	uint64_t samples, calls;
};

struct context_sums {
	bool by_core;
	struct context_sum *items;
	size_t count;
};

/* At most one per cell, arc and context, and one for the samples outside. A capture may have a context per sample, so
 * the sums are sorted, not searched one by one. */
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
	return left->core == right->core && left->number == right->number && strcmp(left->name, right->name) == 0;
}

/* Merges with the last sum if the context is the same, because cells of one context are often adjacent. */
static void add_context_sum(struct context_sums *sums, const struct context_sum *sum)
{
	struct context_sum *last = sums->count > 0 ? &sums->items[sums->count - 1] : NULL;

	if (last == NULL || !is_same(last, sum)) {
		sums->items[sums->count++] = *sum;
		return;
	}
	count_add(&last->samples, sum->samples);
	count_add(&last->calls, sum->calls);
}

static void add_counts_of_context(struct context_sums *sums, const struct capture_block *block, uint32_t context,
                                  uint64_t samples, uint64_t calls)
{
	const unsigned core = sums->by_core ? block->header.core : 0;

	add_context_sum(sums,
	                &(struct context_sum){core, context, capture_context_name(block, context), samples, calls});
}

static void add_contexts_of_block(struct context_sums *sums, const struct capture_block *block)
{
	for (size_t i = 0; i < block->cell_count; i++)
		add_counts_of_context(sums, block, block->cells[i].context, block->cells[i].count, 0);
	for (size_t i = 0; i < block->arc_count; i++)
		add_counts_of_context(sums, block, block->arcs[i].context, 0, block->arcs[i].count);
	for (uint32_t i = 0; i < block->context_count; i++)
		if (block->contexts[i].switches > 0 && block->contexts[i].switches != CAPTURE_UNKNOWN)
			add_counts_of_context(sums, block, i, 0, 0);
	if (block->header.samples_outside > 0 && !block->is_part)
		add_counts_of_context(sums, block, CAPTURE_NO_CONTEXT, block->header.samples_outside, 0);
}

static int compare_context_sums(const void *left, const void *right)
{
	const struct context_sum *a = left, *b = right;

	if (a->core != b->core)
		return a->core < b->core ? -1 : 1;
	if (a->number != b->number)
		return a->number < b->number ? -1 : 1;
	return strcmp(a->name, b->name);
}

static int compare_context_weights(const void *left, const void *right)
{
	const struct context_sum *a = left, *b = right;
	bool a_is_none = a->number == CAPTURE_NO_CONTEXT, b_is_none = b->number == CAPTURE_NO_CONTEXT;

	if (a_is_none != b_is_none)
		return a_is_none ? -1 : 1;
	if (a->samples != b->samples)
		return a->samples > b->samples ? -1 : 1;
	if (a->calls != b->calls)
		return a->calls > b->calls ? -1 : 1;
	return compare_context_sums(left, right);
}

static void merge_context_sums(struct context_sums *sums)
{
	size_t count = sums->count;

	qsort(sums->items, count, sizeof *sums->items, compare_context_sums);
	sums->count = 0;
	for (size_t i = 0; i < count; i++) {
		const struct context_sum next = sums->items[i]; /* add_context_sum() may write there */

		add_context_sum(sums, &next);
	}
	qsort(sums->items, sums->count, sizeof *sums->items, compare_context_weights);
}

/* Sums over all captures of the profile: samples without a context first, then by falling samples and calls. The caller
 * frees sums->items; false when out of memory. */
static bool sum_contexts(const struct profile *profile, struct context_sums *sums)
{
	sums->items = calloc(max_sums(profile) + 1, sizeof *sums->items);
	if (sums->items == NULL)
		return false;
	for (size_t i = 0; i < profile->block_count; i++)
		add_contexts_of_block(sums, profile->blocks[i]);
	merge_context_sums(sums);
	return true;
}

/* --- Parts. */

/* Memory and time of a part: rows of functions and calls, the headers of all blocks, and the names of contexts. */
static size_t cost_of_part(const struct profile *profile)
{
	size_t names = 0;

	for (size_t i = 0; i < profile->block_count; i++)
		names += profile->blocks[i]->context_count;
	return profile->image->function_count + profile->arc_count + 4 * profile->block_count + names / 8 + 1;
}

/* The minimum is one part and the rest. */
size_t parts_max(const struct profile *profile)
{
	size_t parts = COST_MAX / cost_of_part(profile);

	if (parts < 2)
		return 2;
	return parts < PARTS_MAX ? parts : PARTS_MAX;
}

enum status parts_find_contexts(const struct profile *profile, bool by_core, struct profile_part **parts, size_t *count,
                                struct error *error)
{
	struct context_sums sums = {.by_core = by_core};
	size_t max = parts_max(profile);

	*count = 0;
	*parts = calloc(max, sizeof **parts);
	if (*parts == NULL || !sum_contexts(profile, &sums))
		return status_no_memory(error, profile->image->path);
	bool has_rest = sums.count > max;
	*count = has_rest ? max : sums.count;
	for (size_t i = 0; i < *count; i++)
		(*parts)[i] = (struct profile_part){
		        .of_core = by_core,
		        .core = sums.items[i].core,
		        .of_context = true,
		        .number = sums.items[i].number,
		        .name = sums.items[i].name,
		};
	if (has_rest)
		(*parts)[max - 1] = (struct profile_part){
		        .core = by_core ? UINT_MAX : 0, /* sorts last */
		        .of_context = true,
		        .name = "<other contexts>",
		        .is_rest = true,
		};
	free(sums.items);
	return STATUS_OK;
}

static struct capture_selection selection_of(const struct profile_part *part)
{
	return (struct capture_selection){
	        .of_core = part->of_core,
	        .core = part->core,
	        .of_context = part->of_context,
	        .context = part->number,
	        .context_name = part->of_context ? part->name : NULL,
	};
}

static enum status select_captures(const struct profile *profile, struct profile_part *part,
                                   const struct capture_selection *selection, struct error *error)
{
	part->captures = calloc(profile->capture_count + 1, sizeof(struct capture *));
	for (size_t i = 0; part->captures != NULL && i < profile->capture_count; i++) {
		part->captures[i] = capture_select(profile->captures[i], selection);
		if (part->captures[i] == NULL)
			break;
		part->capture_count++;
	}
	return part->capture_count < profile->capture_count ? status_no_memory(error, profile->image->path) : STATUS_OK;
}

/* Whether samples or calls have a context that the block does not list. */
static bool has_unlisted_context(const struct capture_block *block)
{
	for (size_t i = 0; i < block->cell_count; i++)
		if (block->cells[i].context >= block->context_count)
			return true;
	for (size_t i = 0; i < block->arc_count; i++)
		if (block->arcs[i].context >= block->context_count)
			return true;
	return false;
}

/* Contexts that were not selected have 0 switches. */
static uint64_t count_switches(const struct profile_part *part)
{
	uint64_t switches = 0;

	if (part->number == CAPTURE_NO_CONTEXT)
		return CAPTURE_UNKNOWN;
	for (size_t i = 0; i < part->profile->block_count; i++) {
		const struct capture_block *block = part->profile->blocks[i];

		for (size_t j = 0; j < block->context_count; j++)
			count_add(&switches, block->contexts[j].switches);
		if (has_unlisted_context(block))
			return CAPTURE_UNKNOWN;
	}
	return switches;
}

enum status parts_begin(const struct profile *profile, struct profile_part *parts, size_t index, struct error *error)
{
	struct capture_selection others[PARTS_MAX];
	struct profile_part *part = &parts[index];

	for (size_t i = 0; part->is_rest && i < index; i++)
		others[i] = selection_of(&parts[i]);
	const struct capture_selection selection =
	        part->is_rest ? (struct capture_selection){.except = others, .except_count = index}
	                      : selection_of(part);
	enum status status = select_captures(profile, part, &selection, error);
	if (status == STATUS_OK)
		status = profile_create_part(profile, (const struct capture *const *)part->captures,
		                             part->capture_count, &part->profile, error);
	if (status == STATUS_OK && part->of_context)
		part->switches = count_switches(part);
	return status;
}

/* The order of kinds: contexts or cores, then the rest, then samples and calls without one. */
static int rank_of_part(const struct part_key *key)
{
	return key->is_rest ? 1 : 2 * (key->number == CAPTURE_NO_CONTEXT);
}

int parts_compare(const struct part_key *a, const struct part_key *b)
{
	if (a->core != b->core)
		return a->core < b->core ? -1 : 1;
	if (rank_of_part(a) != rank_of_part(b))
		return rank_of_part(a) - rank_of_part(b);
	if (a->time < b->time || a->time > b->time)
		return a->time > b->time ? -1 : 1;
	if (a->number != b->number)
		return a->number < b->number ? -1 : 1;
	return strcmp(a->name, b->name);
}
